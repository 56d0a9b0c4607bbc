import type { DeclaredField } from '../../../common/declared-field.js';
import type { FieldError } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { parseDay } from '../../../common/time.js';
import { linkErrors } from '../../../platform/http/bodies/fields/formats.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../../platform/http/bodies/fields/text.js';

/** The longest value of a text, in characters; the database has the same limit (`fits_field`). */
const MAX_TEXT = 500;
/** The greatest number, and the least as its negative. */
export const MAX_NUMBER = 1e15;

/** Whether a value counts as none: absent, null, or an empty list. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The error of a value of a field, if it does not fit; whether a person can be assigned is not checked. */
export function valueErrors(field: DeclaredField, value: unknown, at: string): readonly FieldError[] {
  const { type, options } = field;
  switch (type) {
    case 'text': {
      const errors = textErrors(value, at, { max: MAX_TEXT });
      return value === '' ? fieldError(at, 'too_short', 'must not be empty; null clears it.') : errors;
    }
    case 'number':
      return numberErrors(value, at);
    case 'day':
      if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a day, such as 2026-11-20.');
      return parseDay(value) === undefined
        ? fieldError(at, 'invalid_date', 'must be a day, such as 2026-11-20.')
        : NO_FIELD_ERRORS;
    case 'choice':
      return choiceErrors(value, at, options);
    case 'choices':
      return choicesErrors(value, at, options);
    case 'person':
      if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be the id of a resource (res_...).');
      return isId('resource', value)
        ? NO_FIELD_ERRORS
        : fieldError(at, 'invalid_format', 'must be the id of a resource (res_...).');
    case 'url':
      return value === '' ? fieldError(at, 'too_short', 'must not be empty; null clears it.') : linkErrors(value, at);
    case 'flag':
      return typeof value === 'boolean' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be true or false.');
  }
}

function numberErrors(value: unknown, at: string): readonly FieldError[] {
  if (typeof value !== 'number') return fieldError(at, 'invalid_type', 'must be a number.');
  return Math.abs(value) <= MAX_NUMBER
    ? NO_FIELD_ERRORS
    : fieldError(at, 'out_of_range', `must be between ${-MAX_NUMBER} and ${MAX_NUMBER}.`);
}

function choiceErrors(value: unknown, at: string, options: readonly string[]): readonly FieldError[] {
  if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be one of the options.', options);
  return options.includes(value)
    ? NO_FIELD_ERRORS
    : fieldError(at, 'invalid_value', `must be one of ${options.join(', ')}.`, options);
}

function choicesErrors(value: unknown, at: string, options: readonly string[]): readonly FieldError[] {
  if (!Array.isArray(value)) return fieldError(at, 'invalid_type', 'must be a list of options.', options);
  if (value.some((item) => typeof item !== 'string' || !options.includes(item))) {
    return fieldError(at, 'invalid_value', `must have only values of ${options.join(', ')}.`, options);
  }
  return new Set(value).size === value.length
    ? NO_FIELD_ERRORS
    : fieldError(at, 'invalid_value', 'must have each option at most once.');
}
