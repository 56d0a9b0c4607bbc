import type { FieldCode } from '../../../common/errors.js';

/** The parsed value of a query parameter, or its error. */
export type Parsed = { value: unknown } | { code: FieldCode; message: string; allowed?: readonly string[] };

/** A parameter that is true or false; without a value, it is true. */
export function parseFlag(raw: string): Parsed {
  if (['true', '1', ''].includes(raw)) return { value: true };
  if (['false', '0'].includes(raw)) return { value: false };
  return { code: 'invalid_value', message: 'Must be true or false.', allowed: ['true', 'false'] };
}
