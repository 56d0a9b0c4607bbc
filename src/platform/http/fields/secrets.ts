import { lengthOf } from '../../../common/text.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions, type FieldRule } from './field.js';

const passwordFaults: FieldRule['faults'] = (value, at) => {
  if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
  // NFKC never brings that much down to 128, and need not be spent on a megabyte.
  const length = value.length > 4096 ? value.length : lengthOf(value.normalize('NFKC'));
  if (length < 12) return fieldError(at, 'too_short', 'must be at least 12 characters long.');
  return length > 128 ? fieldError(at, 'too_long', 'must be at most 128 characters long.') : NO_FIELD_ERRORS;
};

/** A new password: 12 to 128 characters of any sort, counted after NFKC; kept as it was sent. */
export function Password(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'password', minLength: 12, maxLength: 128 } as const;
  return field({ faults: passwordFaults }, schema, options);
}

const typeFaults: FieldRule['faults'] = (value, at) =>
  typeof value === 'string' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be a string.');

const secretFaults: FieldRule['faults'] = (value, at) => {
  if (typeof value !== 'string') return typeFaults(value, at);
  if (value === '') return fieldError(at, 'too_short', 'must not be empty.');
  return value.length > 4096 ? fieldError(at, 'too_long', 'must be at most 4096 characters long.') : NO_FIELD_ERRORS;
};

/**
 * A secret that exists already (a current password, a token): only its size is judged. With `anyLength` not even
 * that, so that all wrong ones are rejected in the same way.
 */
export function Secret({
  anyLength = false,
  ...options
}: FieldOptions & { anyLength?: boolean } = {}): PropertyDecorator {
  if (anyLength) return field({ faults: typeFaults }, { type: 'string' }, options);
  return field({ faults: secretFaults }, { type: 'string', minLength: 1, maxLength: 4096 }, options);
}
