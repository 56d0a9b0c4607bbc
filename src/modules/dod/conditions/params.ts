import type { FieldError } from '../../../common/errors.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { printable } from '../../../common/texts/text.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../../platform/http/bodies/fields/text.js';

/** One parameter of a condition type. */
export interface Param {
  errors: (value: unknown, at: string) => readonly FieldError[];
  required?: boolean;
  /** Further errors of new policies; stored ones are still evaluated. */
  newErrors?: (value: string, at: string) => readonly FieldError[];
  /** Without a default, an omitted parameter stays absent. */
  defaultValue?: unknown;
}

export const MAX_COUNT = 100;

/** An integer from 1 to `MAX_COUNT`. */
export const countParam = (defaultValue: number): Param => ({
  defaultValue,
  errors(value, at) {
    if (!Number.isInteger(value)) return fieldError(at, 'invalid_type', 'must be an integer.');
    const isWithin = (value as number) >= 1 && (value as number) <= MAX_COUNT;
    return isWithin ? NO_FIELD_ERRORS : fieldError(at, 'out_of_range', `must be between 1 and ${MAX_COUNT}.`);
  },
});

export const flagParam = (defaultValue: boolean): Param => ({
  defaultValue,
  errors: (value, at) =>
    typeof value === 'boolean' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be true or false.'),
});

/** A string that is not blank. */
export const textParam = (options: { max?: number; required?: boolean; defaultValue?: string } = {}): Param => ({
  ...options,
  errors(value, at) {
    const errors = textErrors(value, at, { min: 1, max: options.max ?? 100 });
    if (errors.length > 0) return errors;
    return (value as string).trim() === '' ? fieldError(at, 'too_short', 'must not be empty.') : NO_FIELD_ERRORS;
  },
});

export const wordParam = (values: readonly string[], defaultValue: string): Param => ({
  defaultValue,
  errors: (value, at) =>
    values.includes(value as string)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_value', `must be one of ${values.join(', ')}.`, values),
});

/** A duration such as `90m`. */
export const durationParam = (defaultValue: string): Param => ({
  defaultValue,
  errors(value, at) {
    if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
    if (secondsOf(value) !== undefined) return NO_FIELD_ERRORS;
    return fieldError(
      at,
      'invalid_format',
      'must be a number followed by s, m, h or d, such as 90m, and at most ten years.',
    );
  },
});

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_SECONDS = 3650 * SECONDS.d;

/** Returns the seconds of a duration such as `90m`; undefined if it is malformed or longer than ten years. */
export function secondsOf(duration: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(duration) ?? [];
  const seconds = Number(count) * SECONDS[unit];
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/** Returns the errors of the parameters in a request, each with its path. */
export function paramErrors(params: Record<string, Param>, sent: JsonRecord, at: string): FieldError[] {
  const errors = Object.entries(params).flatMap(([name, { required, errors: errorsOf }]) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value !== undefined && value !== null) return errorsOf(value, `${at}.${name}`);
    return required === true ? fieldError(`${at}.${name}`, 'required', 'is required.') : NO_FIELD_ERRORS;
  });
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(params, name));
  return [
    ...errors,
    ...unknown.flatMap((name) => fieldError(`${at}.${printable(name)}`, 'unknown_field', 'is not a known field.')),
  ];
}

/** Returns the errors of valid parameters that only new policies have. */
export const newParamErrors = (params: Record<string, Param>, sent: JsonRecord, at: string): FieldError[] =>
  Object.entries(params).flatMap(([name, { newErrors }]) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    return typeof value === 'string' ? (newErrors?.(value, `${at}.${name}`) ?? NO_FIELD_ERRORS) : NO_FIELD_ERRORS;
  });

/** Adds the defaults to the parameters in a request, for storage. */
export function completeParams(params: Record<string, Param>, sent: JsonRecord): JsonRecord {
  const entries = Object.entries(params).map(([name, { defaultValue }]) => [name, sent[name] ?? defaultValue]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonRecord;
}
