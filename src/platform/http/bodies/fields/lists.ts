import { ApiExtraModels, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../../../common/errors.js';
import { fieldError, field, NO_FIELD_ERRORS, type DtoClass, type FieldOptions } from './field.js';
import { textErrors, trimmed } from './text.js';

interface ListLimits {
  min?: number;
  max: number;
}

function sizeErrors(value: unknown, at: string, { min = 0, max }: ListLimits): readonly FieldError[] {
  if (!Array.isArray(value)) return fieldError(at, 'invalid_type', 'must be an array.');
  if (value.length > max) return fieldError(at, 'too_long', `must have at most ${max} items.`);
  return value.length < min ? fieldError(at, 'too_short', `must have at least ${min} items.`) : NO_FIELD_ERRORS;
}

/** The errors of a list of scalars: its type and size, then each item and repeated items. */
export function listErrors(
  value: unknown,
  at: string,
  limits: ListLimits,
  itemErrors: (item: unknown, at: string) => readonly FieldError[],
): readonly FieldError[] {
  const fieldErrors = sizeErrors(value, at, limits);
  if (fieldErrors.length > 0) return fieldErrors;
  const seen = new Set<unknown>();
  return (value as unknown[]).flatMap((item, index) => {
    const errors = itemErrors(item, `${at}.${index}`);
    if (errors.length > 0) return errors;
    if (seen.has(item)) return fieldError(`${at}.${index}`, 'invalid_value', 'repeats an earlier item.');
    seen.add(item);
    return NO_FIELD_ERRORS;
  });
}

const trimItems = (value: unknown): unknown => (Array.isArray(value) ? value.map(trimmed) : value);

/** A list of short texts such as tags: each trimmed, not empty, at most once. */
export function StringList(options: FieldOptions & { max?: number; each?: number } = {}): PropertyDecorator {
  const { max = 50, each = 100, ...rest } = options;
  const itemErrors = (item: unknown, at: string) => textErrors(item, at, { min: 1, max: each });
  const errorsOf = (value: unknown, at: string) => listErrors(value, at, { max }, itemErrors);
  const items = { type: 'string', minLength: 1, maxLength: each };
  return field({ errorsOf, prepare: trimItems }, { type: 'array', items, maxItems: max, uniqueItems: true }, rest);
}

/** A non-empty list of words from a closed set, each at most once. */
export function SomeOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const known = new Set<unknown>(values);
  const itemErrors = (item: unknown, at: string) =>
    known.has(item) ? NO_FIELD_ERRORS : fieldError(at, 'invalid_value', `must be one of ${values.join(', ')}.`, values);
  const errorsOf = (value: unknown, at: string) => listErrors(value, at, { min: 1, max: values.length }, itemErrors);
  const items = { type: 'string', enum: [...values] };
  const schema = { type: 'array', items, minItems: 1, maxItems: values.length, uniqueItems: true } as const;
  return field({ errorsOf }, schema, options);
}

/**
 * A list of objects, each read like the body of a creation; their errors have paths such as `goals.2.title`. With
 * `shorthand`, a string is accepted for an object with only this property.
 */
export function ListOf(
  items: DtoClass,
  options: FieldOptions & Partial<ListLimits> & { shorthand?: string } = {},
): PropertyDecorator {
  const { min = 0, max = 50, shorthand, ...rest } = options;
  const errorsOf = (value: unknown, at: string) => sizeErrors(value, at, { min, max });
  const size = { ...(min > 0 && { minItems: min }), maxItems: max };
  const item = { $ref: getSchemaPath(items) };
  // Code generators would make a union type of both forms, so only the description mentions the shorthand.
  const schema = { type: 'array', items: item, ...size } as ApiPropertyOptions;
  const shorthandText = shorthand && `A string is short for an object with only \`${shorthand}\`.`;
  const description = [rest.description, shorthandText].filter(Boolean).join(' ');
  return (target, property) => {
    ApiExtraModels(items)(target.constructor);
    field({ errorsOf, items, shorthand }, schema, { ...rest, description })(target, property);
  };
}
