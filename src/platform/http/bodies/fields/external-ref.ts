import type { ApiPropertyOptions } from '@nestjs/swagger';
import { invalidInput, type FieldError } from '../../../../common/errors.js';
import {
  MAX_EXTERNAL_ID,
  MAX_SOURCE,
  type ExternalRef,
  type SentExternalRef,
} from '../../../../common/external-ref.js';
import { isRecord } from '../../../../common/texts/json.js';
import { printable } from '../../../../common/texts/text.js';
import { areBodyFieldsIgnored, dropUnknown } from '../../../context/unknown-fields.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions } from './field.js';
import { linkErrors } from './formats.js';
import { textErrors } from './text.js';

const NAMES = ['source', 'id', 'url'];

/**
 * The errors of the name of another system; it cannot contain a colon, because references are written as `source:id`.
 */
export function sourceErrors(value: unknown, at: string): readonly FieldError[] {
  const fieldErrors = textErrors(value, at, { min: 1, max: MAX_SOURCE, isLine: true });
  if (fieldErrors.length > 0 || !String(value).includes(':')) return fieldErrors;
  return fieldError(at, 'invalid_format', 'must not contain a colon.');
}

export const externalIdErrors = (value: unknown, at: string): readonly FieldError[] =>
  textErrors(value, at, { min: 1, max: MAX_EXTERNAL_ID, isLine: true });

/** The errors of a reference; a complete one has a source and an id. */
function referenceErrors(value: unknown, at: string, isComplete: boolean): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object with source and id.');
  const { source, id, url } = value;
  const mandatory = (name: string, sent: unknown, errors: typeof sourceErrors): readonly FieldError[] => {
    if (sent === null && !isComplete) return fieldError(`${at}.${name}`, 'not_nullable', 'cannot be null.');
    if (sent !== undefined && sent !== null) return errors(sent, `${at}.${name}`);
    return isComplete ? fieldError(`${at}.${name}`, 'required', 'is required.') : NO_FIELD_ERRORS;
  };
  const unknown = areBodyFieldsIgnored() ? [] : Object.keys(value).filter((name) => !NAMES.includes(name));
  return [
    ...mandatory('source', source, sourceErrors),
    ...mandatory('id', id, externalIdErrors),
    ...(url === undefined || url === null || url === '' ? [] : linkErrors(url, `${at}.url`)),
    ...unknown.flatMap((name) => fieldError(`${at}.${printable(name)}`, 'unknown_field', 'is not a known field.')),
  ];
}

const properties = {
  source: { type: 'string', minLength: 1, maxLength: MAX_SOURCE, pattern: '^[^:]+$', description: 'The other system.' },
  id: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID, description: 'The id in the other system.' },
  url: {
    type: ['string', 'null'],
    format: 'uri',
    maxLength: 2048,
    description: 'The address in the other system. It is stored and never fetched.',
  },
};

/** A reference to the same entity in another system; with `isNew` complete, otherwise merged with the current one. */
export function ExternalRefField({
  isNew = false,
  ...options
}: FieldOptions & { isNew?: boolean } = {}): PropertyDecorator {
  const schema = {
    title: isNew ? 'CreateExternalRefInput' : 'UpdateExternalRefInput',
    type: 'object',
    additionalProperties: false,
    properties,
    ...(isNew && { required: ['source', 'id'] }),
  } as unknown as ApiPropertyOptions;
  const description = 'The same thing in another system; unique within its container.';
  const prepare = (value: unknown): unknown => dropUnknown(value, NAMES);
  return field({ errorsOf: (value, at) => referenceErrors(value, at, isNew), prepare }, schema, {
    description,
    ...options,
  });
}

/** The reference after a patch: merged with the current one; null removes it, undefined leaves it. */
export function mergeExternalRef(
  current: ExternalRef | null,
  sent: SentExternalRef | null | undefined,
): ExternalRef | null | undefined {
  if (sent === undefined || sent === null) return sent;
  const { source, id, url } = { ...current, ...sent };
  if (source !== undefined && id !== undefined) return { source, id, url: url || null };
  const missing = Object.entries({ source, id }).filter(([, value]) => value === undefined);
  throw invalidInput(missing.flatMap(([name]) => fieldError(`external_ref.${name}`, 'required', 'is required.')));
}
