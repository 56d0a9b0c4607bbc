import { field, type FieldOptions } from '../../../platform/http/bodies/fields/field.js';
import { listErrors } from '../../../platform/http/bodies/fields/lists.js';
import { textErrors, trimmed } from '../../../platform/http/bodies/fields/text.js';
import {
  KEY_PATTERN,
  keyErrors,
  MAX_FIELD_NAME,
  MAX_KEY,
  MAX_OPTION,
  MAX_OPTIONS,
  OPTION_PATTERN,
  optionErrors,
} from './declared-fields.js';

/** The key of a declared field. */
export function FieldKey(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', minLength: 1, maxLength: MAX_KEY, pattern: KEY_PATTERN } as const;
  return field({ errorsOf: keyErrors, prepare: trimmed, isText: true }, schema, options);
}

/** The name of a declared field. */
export function FieldName(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = (value: unknown, at: string) => textErrors(value, at, { min: 1, max: MAX_FIELD_NAME, isLine: true });
  const schema = { type: 'string', minLength: 1, maxLength: MAX_FIELD_NAME } as const;
  return field({ errorsOf, prepare: trimmed, isText: true }, schema, options);
}

/** The possible values of a declared field. */
export function FieldOptionList(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = (value: unknown, at: string) => listErrors(value, at, { max: MAX_OPTIONS }, optionErrors);
  const prepare = (value: unknown) => (Array.isArray(value) ? value.map(trimmed) : value);
  const items = { type: 'string', minLength: 1, maxLength: MAX_OPTION, pattern: OPTION_PATTERN };
  const schema = { type: 'array', items, maxItems: MAX_OPTIONS, uniqueItems: true } as const;
  return field({ errorsOf, prepare }, schema, options);
}
