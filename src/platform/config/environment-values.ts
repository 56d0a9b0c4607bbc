import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';

/** A number as text; unreadable values are passed on for the validator to reject. */
export const Numeric = (): PropertyDecorator =>
  Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value));

/** An integer of at least that value. */
export const IntegerFrom = (least: number): PropertyDecorator => applyDecorators(Min(least), IsInt(), Numeric());

/** An integer from the first to the second value, both included. */
export const IntegerBetween = (least: number, most: number): PropertyDecorator =>
  applyDecorators(Max(most), IntegerFrom(least));

/** A boolean: true, on, yes and 1, or false, off, no and 0. */
export const Switch = (): PropertyDecorator =>
  applyDecorators(
    IsBoolean(),
    Transform(({ value }) =>
      /^(true|1|on|yes)$/i.test(value) ? true : /^(false|0|off|no)$/i.test(value) ? false : value,
    ),
  );

/** Comma-separated values. */
export const List = (): PropertyDecorator =>
  Transform(({ value }) => (typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value));
