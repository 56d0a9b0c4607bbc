import type { FieldError } from '../../../common/errors.js';
import { isRecord, measureJson } from '../../../common/texts/json.js';
import { printable } from '../../../common/texts/text.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions } from '../../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../../platform/http/bodies/fields/text.js';
import { areBodyFieldsIgnored, dropUnknown } from '../../../platform/context/unknown-fields.js';
import type { Condition } from './condition.js';
import { completeParams, newParamErrors, paramErrors, type Param } from './params.js';
import { CONDITION_TYPES, conditionType } from './types.js';

const MAX_CONDITIONS = 50;
const MAX_BYTES = 100_000;
const TYPES = Object.keys(CONDITION_TYPES);

/** A condition in a request. */
export type SentCondition = Pick<Condition, 'type'> & Partial<Omit<Condition, 'type'>>;

/** The validators of the properties that all conditions have. */
const PROPERTIES: Record<string, Param['errors']> = {
  id: (value, at) => textErrors(value, at, { min: 1, max: 100 }),
  type: (value, at) =>
    TYPES.includes(value as string)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_value', `must be one of ${TYPES.join(', ')}.`, TYPES),
  label: (value, at) => textErrors(value, at, { min: 1, max: 500 }),
  params: (value, at) => (isRecord(value) ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be a JSON object.')),
  required: (value, at) =>
    typeof value === 'boolean' ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be true or false.'),
};

/** The conditions of a policy: 1 to 50, each of a known type with the parameters of that type; 100,000 bytes together. */
export function Conditions(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'array', items: ITEM, minItems: 1, maxItems: MAX_CONDITIONS, example: EXAMPLE } as never;
  return field({ errorsOf: conditionsErrors, prepare: withoutUnknown }, schema, {
    description: DESCRIPTION,
    ...options,
  });
}

/** Drops unknown properties if the service is configured to ignore them. */
function withoutUnknown(sent: unknown): unknown {
  if (!areBodyFieldsIgnored() || !Array.isArray(sent)) return sent;
  return sent.map((item: unknown) => {
    if (!isRecord(item)) return item;
    const known = typeof item.type === 'string' ? conditionType(item.type) : undefined;
    const params = known === undefined ? item.params : dropUnknown(item.params, Object.keys(known.params));
    return dropUnknown({ ...item, params }, Object.keys(PROPERTIES));
  });
}

const ITEM = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 100, description: 'Unique within the policy; generated if absent.' },
    type: { type: 'string', enum: TYPES },
    label: { type: 'string', minLength: 1, maxLength: 500 },
    params: { type: 'object', additionalProperties: true },
    required: { type: 'boolean', default: true },
  },
};
const EXAMPLE = [{ type: 'peer_review', params: { min_reviewers: 1 } }, { type: 'comment_required' }];
const DESCRIPTION = `At most ${MAX_BYTES} bytes together as JSON. Parameters: ${Object.entries(CONDITION_TYPES)
  .map(([type, { params }]) => `${type} (${Object.entries(params).map(describe).join(', ')})`)
  .join('; ')}.`;

function describe([name, { required, defaultValue }]: [string, Param]): string {
  if (required === true) return `${name}, required`;
  return defaultValue === undefined ? name : `${name} = ${JSON.stringify(defaultValue)}`;
}

/** Returns the errors of the conditions in a request, with paths such as `conditions.1.params.min_reviewers`. */
function conditionsErrors(sent: unknown, at: string): readonly FieldError[] {
  if (!Array.isArray(sent)) return fieldError(at, 'invalid_type', 'must be an array.');
  if (sent.length === 0) return fieldError(at, 'too_short', 'must have at least 1 item.');
  if (sent.length > MAX_CONDITIONS) return fieldError(at, 'too_long', `must have at most ${MAX_CONDITIONS} items.`);
  if (measureJson(sent, MAX_BYTES).bytes > MAX_BYTES)
    return fieldError(at, 'too_long', `must be at most ${MAX_BYTES} bytes long as JSON.`);
  const errors = (sent as unknown[]).flatMap((item, index) => conditionErrors(item, `${at}.${index}`));
  return errors.length > 0 ? errors : [...repeatedIds(sent as SentCondition[], at), ...noneRequired(sent, at)];
}

function conditionErrors(item: unknown, at: string): readonly FieldError[] {
  if (!isRecord(item)) return fieldError(at, 'invalid_type', 'must be an object.');
  const errors = Object.entries(PROPERTIES).flatMap(([name, errorsOf]) => {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined && value !== null) return errorsOf(value, `${at}.${name}`);
    return name === 'type' ? fieldError(`${at}.type`, 'required', 'is required.') : NO_FIELD_ERRORS;
  });
  const unknown = Object.keys(item).filter((name) => !Object.hasOwn(PROPERTIES, name));
  errors.push(
    ...unknown.flatMap((name) => fieldError(`${at}.${printable(name)}`, 'unknown_field', 'is not a known field.')),
  );
  const known = typeof item.type === 'string' ? conditionType(item.type) : undefined;
  const params = item.params ?? {};
  return known !== undefined && isRecord(params)
    ? [
        ...errors,
        ...paramErrors(known.params, params, `${at}.params`),
        ...newParamErrors(known.params, params, `${at}.params`),
      ]
    : errors;
}

const noneRequired = (sent: readonly SentCondition[], at: string): readonly FieldError[] =>
  sent.some(({ required }) => required !== false)
    ? NO_FIELD_ERRORS
    : fieldError(at, 'invalid_value', 'must contain at least one required condition.');

function repeatedIds(sent: readonly SentCondition[], at: string): readonly FieldError[] {
  const ids = sent.map(({ id }) => id);
  return ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? fieldError(`${at}.${index}.id`, 'invalid_value', 'repeats the id of another condition.')
      : NO_FIELD_ERRORS,
  );
}

/** Adds ids, labels and defaults to the conditions in a request, for storage. */
export function completeConditions(sent: readonly SentCondition[]): Condition[] {
  const ids = new Set(sent.map(({ id }) => id).filter((id) => typeof id === 'string'));
  return sent.map(({ id, type, label, params, required }) => {
    const known = CONDITION_TYPES[type];
    return {
      id: id ?? unusedId(type, ids),
      type,
      label: label ?? known.label,
      params: completeParams(known.params, params ?? {}),
      required: required ?? true,
    };
  });
}

/** Generates ids such as `peer_review` and `peer_review_2`, which are readable in the result of a check. */
function unusedId(type: string, taken: Set<string>): string {
  let id = type;
  for (let n = 2; taken.has(id); n++) id = `${type}_${n}`;
  taken.add(id);
  return id;
}
