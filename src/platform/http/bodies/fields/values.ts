import type { FieldError } from '../../../../common/errors.js';
import { isRecord, measureJson } from '../../../../common/texts/json.js';
import { isDateOrDateTime, parseDay, parseInstant } from '../../../../common/time.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions, type FieldRule } from './field.js';

const hoursErrors: FieldRule['errorsOf'] = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return fieldError(at, 'invalid_type', 'must be a number.');
  const isStorable = value >= 0 && value <= 1e9 && Math.round(value * 1e4) / 1e4 === value;
  return isStorable
    ? NO_FIELD_ERRORS
    : fieldError(at, 'out_of_range', 'must be between 0 and 1000000000 with at most 4 decimals.');
};

/** A number of hours or of another unit: 0 to 1e9, at most 4 decimals. */
export function Hours(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { errorsOf: hoursErrors },
    { type: 'number', format: 'double', minimum: 0, maximum: 1e9, multipleOf: 0.0001 },
    options,
  );
}

/** An integer; by default any non-negative one that a PostgreSQL `integer` can store. */
export function Int(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = 2_147_483_647, ...rest } = options;
  const errorsOf = (value: unknown, at: string) => {
    if (!Number.isInteger(value)) return fieldError(at, 'invalid_type', 'must be an integer.');
    const isWithin = (value as number) >= min && (value as number) <= max;
    return isWithin ? NO_FIELD_ERRORS : fieldError(at, 'out_of_range', `must be between ${min} and ${max}.`);
  };
  return field({ errorsOf }, { type: 'integer', minimum: min, maximum: max }, rest);
}

const booleanErrors: FieldRule['errorsOf'] = (value, at) =>
  typeof value === 'boolean' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be true or false.');

/** A boolean. */
export function Bool(options: FieldOptions = {}): PropertyDecorator {
  return field({ errorsOf: booleanErrors }, { type: 'boolean' }, options);
}

function dateErrors(isValid: (text: string) => boolean, form: string): FieldRule['errorsOf'] {
  return (value, at) => {
    if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
    return isValid(value)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_date', `must be ${form}, with a year from 1970 to 9999.`);
  };
}

const INSTANT = 'a date and time with an offset, such as 2026-11-20T10:00:00Z';

/** An instant or a day, passed on as sent; the service resolves it with `storedDateOf`. */
export function DateOrDateTime(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = dateErrors(isDateOrDateTime, `${INSTANT}, or a date, such as 2026-11-20`);
  const schema = {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\d([Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d))?$',
    example: '2026-11-20T10:00:00.000Z',
  } as const;
  return field({ errorsOf, isText: true }, schema, options);
}

/** A calendar day, passed on as sent. */
export function DayField(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = dateErrors((text) => parseDay(text) !== undefined, 'a date, such as 2026-11-20');
  const schema = { type: 'string', format: 'date', example: '2026-11-20' } as const;
  return field({ errorsOf, isText: true }, schema, options);
}

/** An instant: RFC 3339 with an offset, passed on as sent. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = dateErrors((text) => parseInstant(text) !== undefined, INSTANT);
  const schema = { type: 'string', format: 'date-time', example: '2026-11-20T10:00:00.000Z' } as const;
  return field({ errorsOf, isText: true }, schema, options);
}

const MAX_BYTES = 100_000;

/** The errors of a JSON object to be stored, as sent or merged: at most 100,000 bytes, 32 levels and 2,000 keys. */
export function jsonObjectErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be a JSON object.');
  const { bytes, depth, keys } = measureJson(value, MAX_BYTES);
  if (bytes > MAX_BYTES) return fieldError(at, 'too_long', 'must be at most 100000 bytes long as JSON.');
  if (depth > 32) return fieldError(at, 'out_of_range', 'must be nested at most 32 levels deep.');
  return keys > 2000 ? fieldError(at, 'out_of_range', 'must have at most 2000 properties.') : NO_FIELD_ERRORS;
}

/** An arbitrary JSON object of the client, stored as sent. */
export function JsonObject(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: true, maxProperties: 2000 } as const;
  return field({ errorsOf: jsonObjectErrors }, schema, options);
}
