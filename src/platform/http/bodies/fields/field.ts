import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { FieldCode, FieldError } from '../../../../common/errors.js';
import type { JsonRecord } from '../../../../common/texts/json.js';
import type { Kind } from '../../../../common/kinds.js';

/** The options of every field decorator. */
export interface FieldOptions {
  /** Required on creation; a patch cannot clear it. */
  required?: boolean;
  /** Whether it is required on creation because of other fields. */
  requiredIf?: (body: JsonRecord) => boolean;
  /** Whether a patch can clear it with null (or `""` for a string); true by default unless it is required. */
  nullable?: boolean;
  description?: string;
  /** Also adds the field to the example of the body, which has the required ones. */
  example?: unknown;
  /** Adds the field to the example of the body, with a generated example. */
  isUsual?: boolean;
}

/** Parameters by name, with the kinds of entities that they name by ids or keys; some combine others by an expression. */
export type KeyedParameters = Readonly<Record<string, { kinds?: readonly Kind[]; combines?: KeyedParameters }>>;

/** The rules for the values of a kind of field. */
export interface FieldRule {
  /** Normalizes a valid value; returns an invalid one unchanged. */
  prepare?: (value: unknown) => unknown;
  /** The errors of a value that is neither absent nor null; `at` is its dotted path. */
  errorsOf: (value: unknown, at: string) => readonly FieldError[];
  /** `""` in a patch means null. */
  isText?: boolean;
  /** The class of nested objects in a list. */
  items?: DtoClass;
  /** The property that a bare string in such a list sets. */
  shorthand?: string;
  /** The class of a nested object, which a patch merges like the body itself. */
  nested?: DtoClass;
  /** The kinds of entities that it references by their ids, or the keys of those that have one. */
  kinds?: readonly Kind[];
  /** The class whose fields the object has, if that reads it itself. */
  holds?: DtoClass;
  /** The filters of a list that the object has, if it has some. */
  filters?: KeyedParameters;
}

/** A field of one DTO class: its rule and its place in creation and patch. */
export interface BodyField extends FieldRule, Pick<FieldOptions, 'requiredIf'> {
  required: boolean;
  nullable: boolean;
}

/** A class whose properties carry field decorators. */
export type DtoClass<T extends object = object> = new () => T;

export const NO_FIELD_ERRORS: readonly FieldError[] = [];

/** `message` continues after the path of the field: `must be ...`. */
export const fieldError = (at: string, code: FieldCode, message: string, allowed?: readonly string[]): FieldError[] => [
  { field: at, code, message: `${at} ${message}`, ...(allowed && { allowed }) },
];

const fieldsByClass = new WeakMap<object, Map<string, BodyField>>();

/**
 * Makes a property a field: known to the body pipes, validated by class-validator, prepared by class-transformer and
 * described in the OpenAPI document (`schema` describes a value that is not null).
 */
export function field(rule: FieldRule, schema: ApiPropertyOptions, options: FieldOptions): PropertyDecorator {
  const { required = false, requiredIf, nullable = !required, description, example, isUsual } = options;
  const { prepare } = rule;
  return (target, property) => {
    ownFieldsOf(target.constructor).set(String(property), { ...rule, required, requiredIf, nullable });
    ValidateBy({ name: 'field', validator: validatorOf(rule) })(target, property);
    if (prepare) Transform(({ value }) => prepare(value))(target, property);
    // A field with an explicit example is usually sent, so it is in the example of the body.
    const usual = {
      ...(example !== undefined && { example }),
      // False overrides an inherited field.
      ...((isUsual !== undefined || example !== undefined) && { 'x-usual': isUsual ?? true }),
    };
    const documented = { ...(description && { description }), ...usual };
    // `required` and `nullable` are always set, because Nest merges the options of an overriding field into those of
    // the inherited one. A later step converts `nullable` to its OpenAPI 3.1 form.
    const requiredOption = Array.isArray(schema.required) ? { selfRequired: required } : { required };
    ApiProperty({ ...schema, ...documented, ...requiredOption, nullable } as ApiPropertyOptions)(target, property);
  };
}

function ownFieldsOf(dto: object): Map<string, BodyField> {
  const known = fieldsByClass.get(dto) ?? new Map<string, BodyField>();
  fieldsByClass.set(dto, known);
  return known;
}

const validatorOf = ({ errorsOf }: FieldRule) => ({
  validate: (value: unknown, args?: ValidationArguments) => errorsOf(value, args?.property ?? '').length === 0,
  defaultMessage: (args?: ValidationArguments) => errorsOf(args?.value, args?.property ?? '')[0]?.message ?? '',
});

/** The fields of a DTO class in the order of their declaration, inherited ones first. */
export function fieldsOf(dto: object): Map<string, BodyField> {
  const parent: unknown = Object.getPrototypeOf(dto);
  const inherited = typeof parent === 'function' ? fieldsOf(parent) : [];
  return new Map([...inherited, ...(fieldsByClass.get(dto) ?? [])]);
}
