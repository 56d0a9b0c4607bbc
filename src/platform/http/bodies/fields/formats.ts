import { normalizeEmail } from '../../../../common/network/email.js';
import { isLanguageTag, isTimeZone } from '../../../../common/time.js';
import { fieldError, field, type FieldOptions } from './field.js';
import { textMatching } from './text.js';

const normalized = (value: unknown): unknown =>
  typeof value === 'string' ? (normalizeEmail(value) ?? value.trim()) : value;

/** An e-mail address, stored in its canonical form. */
export function Email(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = textMatching(
    { min: 1, max: 254 },
    (text) => normalizeEmail(text) !== undefined,
    (at) => fieldError(at, 'invalid_format', 'must be an e-mail address.'),
  );
  return field(
    { errorsOf, prepare: normalized, isText: true },
    { type: 'string', format: 'email', maxLength: 254 },
    options,
  );
}

/** The name of an IANA time zone. */
export function TimeZone(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = textMatching({ max: 64 }, isTimeZone, (at) =>
    fieldError(at, 'invalid_format', 'must be the name of an IANA time zone, such as Europe/Berlin.'),
  );
  return field({ errorsOf, isText: true }, { type: 'string', maxLength: 64, example: 'Europe/Berlin' }, options);
}

/** A BCP 47 language tag. */
export function Language(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = textMatching({ max: 35 }, isLanguageTag, (at) =>
    fieldError(at, 'invalid_format', 'must be a BCP 47 language tag, such as de-CH.'),
  );
  return field({ errorsOf, isText: true }, { type: 'string', maxLength: 35, example: 'de-CH' }, options);
}

/** The errors of a web address. */
export const linkErrors = textMatching(
  { max: 2048 },
  // The URL parser ignores white space inside the text, but the text itself is stored.
  (text) => /^https?:\/\/[^\s/?#@\\][^\s/?#@]*(?:[/?#]\S*)?$/i.test(text) && URL.canParse(text),
  (at) => fieldError(at, 'invalid_format', 'must be an http or https URL without a user name or password.'),
);

/** A web address: http or https, without credentials, stored as sent. */
export function Link(options: FieldOptions = {}): PropertyDecorator {
  return field({ errorsOf: linkErrors, isText: true }, { type: 'string', format: 'uri', maxLength: 2048 }, options);
}
