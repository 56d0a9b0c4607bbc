import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FieldError } from '../../../../common/errors.js';
import { isRecord, type JsonRecord } from '../../../../common/texts/json.js';
import { printable } from '../../../../common/texts/text.js';
import { fieldError, fieldsOf, type DtoClass, type BodyField } from './field.js';

/** The maximum number of reported errors. */
export const MAX_FIELD_ERRORS = 100;

/** How absent and null fields are treated. */
export type BodyMode = 'create' | 'patch';

type ErrorsByField = Map<string, readonly FieldError[]>;

const VALIDATION = { skipMissingProperties: true, forbidUnknownValues: false, validationError: { target: false } };

const unchanged = (value: unknown): unknown => value;

/** Reads JSON objects into instances of one DTO class; prepares what depends only on the class once. */
export class BodyReader<T extends object> {
  private readonly fields: ReadonlyMap<string, BodyField>;
  private readonly itemReaders = new Map<string, BodyReader<object>>();
  private readonly nestedReaders = new Map<string, BodyReader<object>>();
  private readonly readOnly: ReadonlySet<string>;

  constructor(
    private readonly dto: DtoClass<T>,
    private readonly mode: BodyMode,
    representation: readonly string[] = [],
    private readonly readOnlyHint?: string,
  ) {
    this.fields = fieldsOf(dto);
    this.readOnly = new Set(representation);
    for (const [name, { items, nested }] of this.fields) {
      if (items) this.itemReaders.set(name, new BodyReader(items, 'create'));
      if (nested) this.nestedReaders.set(name, new BodyReader(nested, mode));
    }
  }

  /** The instance; valid only if no errors were added. `prefix` is the path of the object, with its dot. */
  read(body: JsonRecord, prefix: string, fieldErrors: FieldError[], ignoreUnknown: boolean): T {
    const errors: ErrorsByField = new Map();
    const dto = this.instantiate(body, prefix, errors);
    const values = dto as JsonRecord;
    if (this.mode === 'patch') this.clearEmptyText(values);
    for (const { property, value } of validateSync(dto, VALIDATION)) {
      errors.set(property, this.fields.get(property)?.errorsOf(value, prefix + property) ?? []);
    }
    for (const [name, reader] of this.itemReaders) {
      if (Array.isArray(values[name]) && !errors.has(name)) {
        const itemErrors: FieldError[] = [];
        const items = withShorthand(values[name], this.fields.get(name)?.shorthand);
        values[name] = readItems(reader, items, `${prefix}${name}`, itemErrors, ignoreUnknown);
        errors.set(name, itemErrors);
      }
    }
    for (const [name, reader] of this.nestedReaders) {
      const value = values[name];
      if (!isRecord(value) || errors.has(name)) continue;
      const nestedErrors: FieldError[] = [];
      values[name] = reader.read(value, `${prefix}${name}.`, nestedErrors, ignoreUnknown);
      errors.set(name, nestedErrors);
    }
    if (errors.size > 0) for (const name of this.fields.keys()) fieldErrors.push(...(errors.get(name) ?? []));
    if (!ignoreUnknown) this.refuseUnknown(body, prefix, fieldErrors);
    return dto;
  }

  /**
   * An instance with the sent values; adds the errors of absent and null fields. Only scalars are passed to
   * class-transformer: for client objects it drops keys such as `__proto__`, treats `constructor` as a class, overflows
   * the stack on deep values, and takes a second for a list of 400,000 numbers.
   */
  private instantiate(body: JsonRecord, prefix: string, errors: ErrorsByField): T {
    const scalars: JsonRecord = {};
    const others: JsonRecord = {};
    for (const [name, { required, requiredIf, nullable, isText, prepare = unchanged }] of this.fields) {
      const sent = Object.hasOwn(body, name) ? body[name] : undefined;
      const isAbsent = sent === '' && this.mode === 'create' && isText === true && !required;
      const value = isAbsent ? undefined : sent;
      if (typeof value === 'object' && value !== null) others[name] = prepare(value);
      else if (value !== undefined && value !== null) scalars[name] = value;
      else if (this.mode === 'create') {
        if (required || requiredIf?.(body) === true)
          errors.set(name, fieldError(prefix + name, 'required', 'is required.'));
      } else if (value === null) {
        if (nullable) others[name] = null;
        else errors.set(name, fieldError(prefix + name, 'not_nullable', 'cannot be null.'));
      }
    }
    return Object.assign(plainToInstance(this.dto, scalars), others);
  }

  private clearEmptyText(values: JsonRecord): void {
    for (const [name, { isText, nullable }] of this.fields) {
      if (isText && nullable && values[name] === '') values[name] = null;
    }
  }

  private refuseUnknown(body: JsonRecord, prefix: string, fieldErrors: FieldError[]): void {
    for (const key of Object.keys(body)) {
      if (fieldErrors.length >= MAX_FIELD_ERRORS) return;
      if (this.fields.has(key)) continue;
      const path = prefix + printable(key);
      const isReadOnly = this.readOnly.has(key);
      fieldErrors.push(
        ...(isReadOnly
          ? fieldError(path, 'read_only', this.withHint('is read-only.'))
          : fieldError(path, 'unknown_field', 'is not a known field.')),
      );
    }
  }

  private withHint(message: string): string {
    return this.readOnlyHint === undefined ? message : `${message} ${this.readOnlyHint}`;
  }
}

/** Reads an object that is not the body of a request; returns its instance and the field errors. */
export type ReadBody<T> = (body: JsonRecord) => { dto: T; fieldErrors: FieldError[] };

/** Reads objects in files like the body of a creation or of a merge patch. */
export function bodyReaderFor<T extends object>(dto: DtoClass<T>, mode: BodyMode): ReadBody<T> {
  const reader = new BodyReader(dto, mode);
  return (body) => {
    const fieldErrors: FieldError[] = [];
    return { dto: reader.read(body, '', fieldErrors, false), fieldErrors };
  };
}

function withShorthand(items: unknown[], property: string | undefined): unknown[] {
  if (property === undefined) return items;
  return items.map((item) => (typeof item === 'string' ? { [property]: item } : item));
}

function readItems(
  reader: BodyReader<object>,
  items: unknown[],
  path: string,
  fieldErrors: FieldError[],
  ignoreUnknown: boolean,
): unknown[] {
  return items.map((item, index) => {
    if (isRecord(item)) return reader.read(item, `${path}.${index}.`, fieldErrors, ignoreUnknown);
    fieldErrors.push(...fieldError(`${path}.${index}`, 'invalid_type', 'must be an object.'));
    return item;
  });
}
