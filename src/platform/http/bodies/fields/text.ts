import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../../../common/errors.js';
import { isBlank, isCleanText, isLongerThan, isVisibleLine, showsText } from '../../../../common/texts/text.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions, type FieldRule } from './field.js';

interface TextLimits {
  min?: number;
  max: number;
  /** A single line with at least one visible character. */
  isLine?: boolean;
}

/** The errors of the type, the characters and the length of a string. */
export function textErrors(value: unknown, at: string, { min = 0, max, isLine }: TextLimits): readonly FieldError[] {
  if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
  if (isLongerThan(value, max)) return fieldError(at, 'too_long', `must be at most ${max} characters long.`);
  if (min > 0 && (value.length < min || isBlank(value))) return fieldError(at, 'too_short', 'must not be empty.');
  if (!isCleanText(value)) return fieldError(at, 'invalid_text', 'contains characters that cannot be stored.');
  if (isLine && value !== '' && !isVisibleLine(value)) {
    return fieldError(at, 'invalid_text', 'must be a single line with visible characters.');
  }
  return NO_FIELD_ERRORS;
}

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Checks a string within the limits by a predicate; `errorAt` returns the error of a string that fails it. */
export function textMatching(
  limits: TextLimits,
  isValid: (text: string) => boolean,
  errorAt: (at: string) => FieldError[],
): (value: unknown, at: string) => readonly FieldError[] {
  return (value, at) => {
    const fieldErrors = textErrors(value, at, limits);
    if (fieldErrors.length > 0) return fieldErrors;
    return isValid(value as string) ? NO_FIELD_ERRORS : errorAt(at);
  };
}

const NAME_LIMITS = { min: 1, max: 500, isLine: true };
const nameErrors: FieldRule['errorsOf'] = (value, at) => textErrors(value, at, NAME_LIMITS);

/** A name, title or subject: trimmed, 1 to 500 visible characters in one line. */
export function Name(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { errorsOf: nameErrors, prepare: trimmed, isText: true },
    { type: 'string', minLength: 1, maxLength: 500 },
    options,
  );
}

/**
 * Prose, stored exactly as sent; not blank if it is required, cannot be null, or with `isNeverBlank`. A reason must show
 * something to its readers.
 */
export function Text({
  max = 50_000,
  isNeverBlank = false,
  isReason = false,
  ...options
}: FieldOptions & { max?: number; isNeverBlank?: boolean; isReason?: boolean } = {}): PropertyDecorator {
  const mustHaveText = isNeverBlank || options.required === true || options.nullable === false;
  const limits = { min: mustHaveText ? 1 : 0, max };
  const errorsOf = isReason
    ? textMatching(limits, showsText, (at) => fieldError(at, 'too_short', 'must not be empty.'))
    : (value: unknown, at: string) => textErrors(value, at, limits);
  const schema = { type: 'string', ...(limits.min > 0 && { minLength: limits.min }), maxLength: max } as const;
  return field({ errorsOf, isText: true }, schema, options);
}

/** A word from an open set, such as a type: trimmed, 1 to `max` characters, and matching the pattern if any. */
export function Keyword(
  options: FieldOptions & Pick<FieldRule, 'kinds'> & { max?: number; pattern?: RegExp } = {},
): PropertyDecorator {
  const { max = 100, pattern, kinds, ...rest } = options;
  const errorsOf = textMatching(
    { min: 1, max },
    (text) => !pattern || pattern.test(text),
    (at) => fieldError(at, 'invalid_format', `must match ${pattern?.source}`),
  );
  const schema: ApiPropertyOptions = { type: 'string', minLength: 1, maxLength: max };
  return field({ errorsOf, prepare: trimmed, isText: true, kinds }, pattern ? { ...schema, pattern } : schema, rest);
}

/** One of a closed set of words. */
export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const known = new Set<unknown>(values);
  const errorsOf = (value: unknown, at: string) => {
    if (known.has(value)) return NO_FIELD_ERRORS;
    const code = typeof value === 'string' ? 'invalid_value' : 'invalid_type';
    return fieldError(at, code, `must be one of ${values.join(', ')}.`, values);
  };
  return field({ errorsOf, isText: true }, { type: 'string', enum: [...values] }, options);
}
