import { invalidField, type FieldError } from '../../../common/errors.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { BodyReader, MAX_FIELD_ERRORS } from './fields/body-reader.js';
import type { DtoClass } from './fields/field.js';
import { areBodyFieldsIgnored } from '../../context/unknown-fields.js';

/** A body read as creation and as patch, each with its field errors if invalid. */
export interface CreateOrPatch<C, P> {
  creation: C | FieldError[];
  patch: P | FieldError[];
}

/**
 * Reads the bodies of requests that create or patch an entity. Which of both applies is known later; a body that is
 * invalid for both is rejected at once.
 */
export function createOrPatchReader<C extends object, P extends object>(
  creation: DtoClass<C>,
  patch: DtoClass<P>,
  representation: readonly string[],
): (body: unknown, fieldErrors: FieldError[]) => CreateOrPatch<C, P> {
  const readers = {
    creation: new BodyReader(creation, 'create', representation),
    patch: new BodyReader(patch, 'patch', representation),
  };
  return (body, fieldErrors) => {
    if (!isRecord(body)) throw invalidField('body', 'invalid_type', 'The request body must be a JSON object.');
    const both = { creation: read(readers.creation, body), patch: read(readers.patch, body) };
    if (Array.isArray(both.creation) && Array.isArray(both.patch))
      fieldErrors.push(...common(both.creation, both.patch));
    return both;
  };
}

function read<T extends object>(reader: BodyReader<T>, body: JsonRecord): T | FieldError[] {
  const fieldErrors: FieldError[] = [];
  const dto = reader.read(body, '', fieldErrors, areBodyFieldsIgnored());
  return fieldErrors.length > 0 ? fieldErrors.slice(0, MAX_FIELD_ERRORS) : dto;
}

/** The errors of fields that are invalid both ways; all errors of the creation if there are none. */
function common(creation: FieldError[], patch: FieldError[]): FieldError[] {
  const shared = patch.filter(({ field }) => creation.some((error) => error.field === field));
  return shared.length > 0 ? shared : creation;
}
