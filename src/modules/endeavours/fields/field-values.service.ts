import { Injectable } from '@nestjs/common';
import { fieldsFor, type DeclaredField, type FieldKind } from '../../../common/declared-field.js';
import { invalidInput, type FieldError } from '../../../common/errors.js';
import { sameJson, type JsonRecord } from '../../../common/texts/json.js';
import type { Actor } from '../../../platform/context/actor.js';
import { fieldError } from '../../../platform/http/bodies/fields/field.js';
import { AssignmentsService } from '../../resources/assignments/assignments.service.js';
import { isMissing, valueErrors } from './field-values.rules.js';

/** The work whose values are checked: its kind, and its endeavour with the fields that it declares. */
interface FieldedWork {
  kind: FieldKind;
  endeavourId: string;
  fields: readonly DeclaredField[] | null | undefined;
}

/** The metadata before and after a write; nothing before for new work. */
interface WrittenMetadata {
  before?: JsonRecord;
  after: JsonRecord;
}

/** Checks the values of declared fields where a write touches them; the other values of metadata are free. */
@Injectable()
export class FieldValues {
  constructor(private readonly assignments: AssignmentsService) {}

  /**
   * Rejects values that a write sets and that do not fit their fields, and new work without required ones: one fault for
   * each field. A value that was there before stays as it is.
   */
  async assertFit(
    me: Actor,
    { kind, endeavourId, fields }: FieldedWork,
    { before, after }: WrittenMetadata,
    { isLocked = true } = {},
  ): Promise<void> {
    const errors: FieldError[] = [];
    const people: Record<string, string> = {};
    for (const field of fieldsFor(fields, kind)) {
      const at = `metadata.${field.key}`;
      const value = ownValue(after, field.key);
      if (before === undefined && isLacking(field, value)) errors.push(...fieldError(at, 'required', 'is required.'));
      else if (value !== undefined && value !== null && !sameJson(value, ownValue(before ?? {}, field.key))) {
        const found = valueErrors(field, value, at);
        errors.push(...found);
        if (field.type === 'person' && found.length === 0) people[at] = value as string;
      }
    }
    errors.push(...(await this.assignments.tryResolve(me, endeavourId, people, { isLocked })).errors);
    if (errors.length > 0) throw invalidInput(errors);
  }
}

/** The errors of required fields without a value, for work that is made nevertheless. */
export const lackingErrors = (fields: FieldedWork['fields'], kind: FieldKind, metadata: JsonRecord): FieldError[] =>
  fieldsFor(fields, kind)
    .filter((field) => isLacking(field, ownValue(metadata, field.key)))
    .flatMap(({ key }) => fieldError(`metadata.${key}`, 'required', 'is required; the task was made without it.'));

const isLacking = ({ required_on }: DeclaredField, value: unknown): boolean =>
  required_on === 'create' && isMissing(value);

const ownValue = (metadata: JsonRecord, key: string): unknown =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined;
