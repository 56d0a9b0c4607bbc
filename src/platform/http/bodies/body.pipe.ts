import type { PipeTransform } from '@nestjs/common';
import { invalidField, invalidInput, notFound, type FieldError } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { isRecord } from '../../../common/texts/json.js';
import type { Kind } from '../../../common/kinds.js';
import { BodyReader, MAX_FIELD_ERRORS, type BodyMode } from './fields/body-reader.js';
import type { DtoClass } from './fields/field.js';
import { areBodyFieldsIgnored } from '../../context/unknown-fields.js';

interface BodyOptions {
  /**
   * The properties of the resource's representation: a property without a field is `read_only`, not `unknown_field`.
   */
  representation?: readonly string[];
  /** What to do instead of setting a read-only property. */
  readOnlyHint?: string;
}

/** Reads the body of a creation: null means absent, and required fields must be present. */
export function CreateBody<T extends object>(dto: DtoClass<T>, options?: BodyOptions): PipeTransform<unknown, T> {
  return new BodyPipe(dto, 'create', options);
}

/**
 * Reads a merge patch. Absent properties are absent from the result; null and, for strings, `""` are null. Use
 * `nullable: false` instead of `required` in its DTO, otherwise the OpenAPI document requires the field.
 */
export function PatchBody<T extends object>(dto: DtoClass<T>, options?: BodyOptions): PipeTransform<unknown, T> {
  return new BodyPipe(dto, 'patch', options);
}

class BodyPipe<T extends object> implements PipeTransform<unknown, T> {
  private readonly reader: BodyReader<T>;

  constructor(dto: DtoClass<T>, mode: BodyMode, { representation, readOnlyHint }: BodyOptions = {}) {
    this.reader = new BodyReader(dto, mode, representation, readOnlyHint);
  }

  transform(body: unknown = {}): T {
    if (!isRecord(body)) throw invalidField('body', 'invalid_type', 'The request body must be a JSON object.');
    const fieldErrors: FieldError[] = [];
    const dto = this.reader.read(body, '', fieldErrors, areBodyFieldsIgnored());
    if (fieldErrors.length > 0) throw invalidInput(fieldErrors.slice(0, MAX_FIELD_ERRORS));
    return dto;
  }
}

/** Reads an id in a path: an id of another form or kind cannot exist, so it is 404. */
export function PathId(...kinds: Kind[]): PipeTransform<string, string> {
  return {
    transform(id) {
      if (kinds.some((kind) => isId(kind, id))) return id;
      throw notFound();
    },
  };
}
