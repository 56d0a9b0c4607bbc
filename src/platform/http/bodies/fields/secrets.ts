import { lengthOf } from '../../../../common/texts/text.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions, type FieldRule } from './field.js';

const passwordErrors: FieldRule['errorsOf'] = (value, at) => {
  if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
  // NFKC cannot shorten so long a text to 128 characters, and normalizing a megabyte would be slow.
  const length = value.length > 4096 ? value.length : lengthOf(value.normalize('NFKC'));
  if (length < 12) return fieldError(at, 'too_short', 'must be at least 12 characters long.');
  return length > 128 ? fieldError(at, 'too_long', 'must be at most 128 characters long.') : NO_FIELD_ERRORS;
};

/** A new password: 12 to 128 arbitrary characters, counted after NFKC normalization; passed on as sent. */
export function Password(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'password', minLength: 12, maxLength: 128 } as const;
  return field({ errorsOf: passwordErrors }, schema, options);
}

const typeErrors: FieldRule['errorsOf'] = (value, at) =>
  typeof value === 'string' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be a string.');

const secretErrors: FieldRule['errorsOf'] = (value, at) => {
  if (typeof value !== 'string') return typeErrors(value, at);
  if (value === '') return fieldError(at, 'too_short', 'must not be empty.');
  return value.length > 4096 ? fieldError(at, 'too_long', 'must be at most 4096 characters long.') : NO_FIELD_ERRORS;
};

/**
 * An existing secret (a current password, a token), of which only the length is checked. With `anyLength`, the length
 * is not checked either, so that all wrong secrets are rejected with the same error.
 */
export function Secret({
  anyLength = false,
  ...options
}: FieldOptions & { anyLength?: boolean } = {}): PropertyDecorator {
  if (anyLength) return field({ errorsOf: typeErrors }, { type: 'string' }, options);
  return field({ errorsOf: secretErrors }, { type: 'string', minLength: 1, maxLength: 4096 }, options);
}
