import type { FieldError } from '../../../common/errors.js';
import type { JsonRecord } from '../../../common/json.js';
import { printable } from '../../../common/text.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/fields/field.js';
import { textErrors } from '../../../platform/http/fields/text.js';

/** One parameter of a condition type. */
export interface Param {
  faults: (value: unknown, at: string) => readonly FieldError[];
  required?: boolean;
  /** The default; without one, an omitted parameter stays absent. */
  absent?: unknown;
}

/** A count from 1 to 100. */
export const countParam = (absent: number): Param => ({
  absent,
  faults(value, at) {
    if (!Number.isInteger(value)) return fieldError(at, 'invalid_type', 'must be an integer.');
    const isWithin = (value as number) >= 1 && (value as number) <= 100;
    return isWithin ? NO_FIELD_ERRORS : fieldError(at, 'out_of_range', 'must be between 1 and 100.');
  },
});

export const flagParam = (absent: boolean): Param => ({
  absent,
  faults: (value, at) =>
    typeof value === 'boolean' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be true or false.'),
});

/** A text that must not be empty. */
export const textParam = (options: { max?: number; required?: boolean; absent?: string } = {}): Param => ({
  ...options,
  faults(value, at) {
    const faults = textErrors(value, at, { min: 1, max: options.max ?? 100 });
    if (faults.length > 0) return faults;
    return (value as string).trim() === '' ? fieldError(at, 'too_short', 'must not be empty.') : NO_FIELD_ERRORS;
  },
});

export const wordParam = (values: readonly string[], absent: string): Param => ({
  absent,
  faults: (value, at) =>
    values.includes(value as string)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_value', `must be one of ${values.join(', ')}.`, values),
});

/** A duration such as `90m`. */
export const durationParam = (absent: string): Param => ({
  absent,
  faults(value, at) {
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
const MOST_SECONDS = 3650 * SECONDS.d;

/** The number of seconds of a duration such as `90m`; undefined if it is not one. */
export function secondsOf(span: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(span) ?? [];
  const seconds = Number(count) * SECONDS[unit];
  return seconds <= MOST_SECONDS ? seconds : undefined;
}

/** The errors of the sent parameters, each under its own path. */
export function paramErrors(params: Record<string, Param>, sent: JsonRecord, at: string): FieldError[] {
  const faults = Object.entries(params).flatMap(([name, { required, faults: faultsOf }]) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value !== undefined && value !== null) return faultsOf(value, `${at}.${name}`);
    return required === true ? fieldError(`${at}.${name}`, 'required', 'is required.') : NO_FIELD_ERRORS;
  });
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(params, name));
  return [
    ...faults,
    ...unknown.flatMap((name) => fieldError(`${at}.${printable(name)}`, 'unknown_field', 'is not a known field.')),
  ];
}

/** The stored parameters: the sent ones and the defaults. */
export function completeParams(params: Record<string, Param>, sent: JsonRecord): JsonRecord {
  const entries = Object.entries(params).map(([name, { absent }]) => [name, sent[name] ?? absent]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonRecord;
}
