import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min, ValidateBy } from 'class-validator';

/** A number as text; unreadable values are passed on for the validator to reject. */
export const Numeric = (): PropertyDecorator =>
  Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value));

/** An integer of at least that value. */
export const IntegerFrom = (min: number): PropertyDecorator => applyDecorators(Min(min), IsInt(), Numeric());

/** An integer from `min` to `max`, both included. */
export const IntegerBetween = (min: number, max: number): PropertyDecorator =>
  applyDecorators(Max(max), IntegerFrom(min));

/** A boolean: true, on, yes and 1, or false, off, no and 0. */
export const Switch = (): PropertyDecorator =>
  applyDecorators(
    IsBoolean(),
    Transform(({ value }) =>
      /^(true|1|on|yes)$/i.test(value) ? true : /^(false|0|off|no)$/i.test(value) ? false : value,
    ),
  );

const MAX_WORKERS = 64;

/** A number of processes, or `auto`. */
export const AreWorkers = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'areWorkers',
      validator: {
        validate: (value: unknown) =>
          value === 'auto' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_WORKERS),
        defaultMessage: ({ property } = { property: '' } as never) =>
          `${property} must be a number of processes from 1 to ${MAX_WORKERS}, or auto`,
      },
    }),
    Transform(({ value }) => (typeof value === 'string' && value !== 'auto' ? Number(value) : value)),
  );

/** Comma-separated values. */
export const List = (): PropertyDecorator =>
  Transform(({ value }) => (typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value));
