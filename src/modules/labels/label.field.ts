import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../common/errors.js';
import { isRecord } from '../../common/texts/json.js';
import { printable } from '../../common/texts/text.js';
import { fieldError, field, type FieldOptions } from '../../platform/http/bodies/fields/field.js';
import { listErrors } from '../../platform/http/bodies/fields/lists.js';
import { trimmed } from '../../platform/http/bodies/fields/text.js';
import { areBodyFieldsIgnored, dropUnknown } from '../../platform/context/unknown-fields.js';
import { LABEL_PATTERN, labelErrors, MAX_LABEL, MAX_LABELS } from './label.rules.js';

const CHANGES = ['add', 'remove'];
const NAME = { type: 'string', minLength: 1, maxLength: MAX_LABEL, pattern: LABEL_PATTERN } as const;
const NAMES = { type: 'array', items: NAME, maxItems: MAX_LABELS, uniqueItems: true } as const;
const DESCRIPTION =
  'Names of labels, which are made if the endeavour does not have them. Upper and lower case are alike.';

const namesErrors = (value: unknown, at: string): readonly FieldError[] =>
  listErrors(value, at, { max: MAX_LABELS }, labelErrors);

const trimmedNames = (value: unknown): unknown => (Array.isArray(value) ? value.map(trimmed) : value);

/** The labels of a new task or demand. */
export function Labels(options: FieldOptions = {}): PropertyDecorator {
  return field({ errorsOf: namesErrors, prepare: trimmedNames }, NAMES, { description: DESCRIPTION, ...options });
}

/** The labels in a patch: a list replaces them, an object adds and removes some. */
export function LabelChanges(options: FieldOptions = {}): PropertyDecorator {
  // One schema of two types: some generators write Java that does not compile for a list within anyOf.
  const schema = {
    ...NAMES,
    title: 'LabelChangesInput',
    type: ['array', 'object'],
    properties: { add: NAMES, remove: NAMES },
    additionalProperties: false,
  } as unknown as ApiPropertyOptions;
  const description = `${DESCRIPTION} A list replaces all; an object with \`add\` and \`remove\` changes some.`;
  return field({ errorsOf: changeErrors, prepare: preparedChange }, schema, { description, ...options });
}

function changeErrors(value: unknown, at: string): readonly FieldError[] {
  if (Array.isArray(value)) return namesErrors(value, at);
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an array, or an object with add and remove.');
  const unknown = areBodyFieldsIgnored() ? [] : Object.keys(value).filter((name) => !CHANGES.includes(name));
  return [
    ...CHANGES.filter((name) => value[name] !== undefined).flatMap((name) => namesErrors(value[name], `${at}.${name}`)),
    ...unknown.flatMap((name) => fieldError(`${at}.${printable(name)}`, 'unknown_field', 'is not a known field.')),
  ];
}

function preparedChange(value: unknown): unknown {
  if (!isRecord(value)) return trimmedNames(value);
  const known = dropUnknown(value, CHANGES) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, names]) =>
      names === null && CHANGES.includes(name) ? [] : [[name, trimmedNames(names)]],
    ),
  );
}

/** The name of a label. */
export function LabelName(options: FieldOptions = {}): PropertyDecorator {
  return field({ errorsOf: labelErrors, prepare: trimmed, isText: true }, NAME, options);
}
