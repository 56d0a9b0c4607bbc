import type { DeclaredField, FieldKind, FieldType } from '../../../common/declared-field.js';
import { invalidInput, type FieldError } from '../../../common/errors.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { measureJson, sameJson } from '../../../common/texts/json.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../../platform/http/bodies/fields/text.js';

/** The most fields of an endeavour. */
export const MAX_FIELDS = 50;
/** The longest key and the longest name of a field, and the longest option, in characters. */
export const MAX_KEY = 50;
export const MAX_FIELD_NAME = 100;
export const MAX_OPTION = 100;
/** The most options of a field. */
export const MAX_OPTIONS = 100;
/** The most bytes of all fields as JSON, because every write in the endeavour reads them. */
const MAX_BYTES = 64 * 1024;

/** The pattern of a key, which is part of the names of filters. */
export const KEY_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,49}$';
const KEY_FORM = new RegExp(KEY_PATTERN);

/** The pattern of an option, which can stand in a filter between others: no comma, and no ! at its beginning. */
export const OPTION_PATTERN = '^[^!,][^,]*$';
const OPTION_FORM = new RegExp(OPTION_PATTERN, 's');

/** The keys of metadata that the service reads. */
const RESERVED = ['checklist', 'acceptance', 'imported', 'auto_complete', 'labels'];
const RESERVED_PREFIX = 'dod_';

/** The types whose values are options. */
const WITH_OPTIONS: readonly FieldType[] = ['choice', 'choices'];

/** A field in a request. */
export interface SentField {
  key: string;
  name?: string;
  type: FieldType;
  options?: string[];
  applies_to?: FieldKind;
  required_on?: 'create';
  description?: string;
}

/** The errors of a trimmed key. */
export function keyErrors(value: unknown, at: string): readonly FieldError[] {
  const errors = textErrors(value, at, { min: 1, max: MAX_KEY });
  if (errors.length > 0) return errors;
  const key = value as string;
  if (!KEY_FORM.test(key)) {
    return fieldError(at, 'invalid_format', 'must be a letter, followed by letters, digits and underscores.');
  }
  const isReserved = RESERVED.includes(key) || key.startsWith(RESERVED_PREFIX);
  return isReserved ? fieldError(at, 'invalid_value', 'is a key that the service reads.') : NO_FIELD_ERRORS;
}

/** The errors of a trimmed option. */
export function optionErrors(value: unknown, at: string): readonly FieldError[] {
  const errors = textErrors(value, at, { min: 1, max: MAX_OPTION, isLine: true });
  if (errors.length > 0) return errors;
  const option = value as string;
  if (!OPTION_FORM.test(option))
    return fieldError(at, 'invalid_format', 'must have no comma, and no ! at the beginning.');
  return foldName(option) === 'none'
    ? fieldError(at, 'invalid_value', 'must not be none, which stands for no value in filters.')
    : NO_FIELD_ERRORS;
}

/** The fields of an endeavour after a request; null for none. Rejects repeated keys, and options that do not fit the type. */
export function declaredFields(sent: readonly SentField[] | null | undefined): DeclaredField[] | null {
  if (!sent || sent.length === 0) return null;
  const errors: FieldError[] = [];
  const keys = new Set<string>();
  const fields = sent.map(({ key, name, type, options = [], ...rest }, index): DeclaredField => {
    const at = `fields.${index}`;
    // Keys that differ only in case could not be told apart by people.
    const folded = key.toLowerCase();
    if (keys.has(folded)) errors.push(...fieldError(`${at}.key`, 'invalid_value', 'repeats an earlier key.'));
    keys.add(folded);
    const takesOptions = WITH_OPTIONS.includes(type);
    if (takesOptions && options.length === 0) {
      errors.push(...fieldError(`${at}.options`, 'required', `is required for a ${type}.`));
    } else if (!takesOptions && options.length > 0) {
      errors.push(...fieldError(`${at}.options`, 'invalid_value', `is not possible for a ${type}.`));
    }
    const { applies_to = null, required_on = null, description = null } = rest;
    return { key, name: name ?? key, type, options, applies_to, required_on, description };
  });
  if (measureJson(fields, MAX_BYTES).bytes > MAX_BYTES) {
    errors.push(...fieldError('fields', 'too_long', `must be at most ${MAX_BYTES} bytes long as JSON.`));
  }
  if (errors.length > 0) throw invalidInput(errors);
  return fields;
}

type Fields = readonly DeclaredField[] | null | undefined;

/** What decides which values a field has. */
const meaningOf = ({ type, options, applies_to }: DeclaredField): unknown => [type, options, applies_to];

/** The keys whose values another list of fields takes in another way, or no longer. */
export function changedKeys(current: Fields, next: Fields): string[] {
  const later = new Map((next ?? []).map((field) => [field.key, field]));
  return (current ?? []).flatMap((field) => {
    const after = later.get(field.key);
    return after !== undefined && sameJson(meaningOf(field), meaningOf(after)) ? [] : [field.key];
  });
}
