import { isId, kindOf } from '../../../../common/ids.js';
import { KINDS, type Kind } from '../../../../common/kinds.js';
import { isKeyedKind, WORK_KEY } from '../../../../common/work-keys.js';
import type { FieldError } from '../../../../common/errors.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions } from './field.js';
import { listErrors } from './lists.js';

const ids = (kinds: readonly Kind[]): string => `(?:${kinds.map((kind) => KINDS[kind]).join('|')})_[0-9a-f]{32}`;
const patternOf = (kinds: readonly Kind[]): string => `^${ids(kinds)}$`;
const KEY = WORK_KEY.source.slice(1, -1);
/** The pattern of a reference to an entity of one of these kinds: its id, or the key of a task or demand. */
const referenceOf = (kinds: readonly Kind[]): string =>
  kinds.some(isKeyedKind) ? `^(?:${ids(kinds)}|${KEY})$` : patternOf(kinds);

/** The schema of a reference to an entity of that kind in a request. */
export const referenceTo = (kind: Kind): { type: 'string'; pattern: string } => ({
  type: 'string',
  pattern: referenceOf([kind]),
});
/** The schema of a reference to an entity of any kind in a request. */
export const ANY_REFERENCE = { type: 'string', pattern: `^(?:[a-z]{3}_[0-9a-f]{32}|${KEY})$` } as const;
/** The schema of the id of an entity of that kind. */
export const idOf = (kind: Kind): { type: 'string'; pattern: string } => ({
  type: 'string',
  pattern: patternOf([kind]),
});
/** The schema of the id of an entity of any kind. */
export const ANY_ID = { type: 'string', pattern: '^[a-z]{3}_[0-9a-f]{32}$' } as const;
const namesOf = (kinds: readonly Kind[]): string => kinds.map((kind) => `${kind} (${KINDS[kind]}_...)`).join(' or ');

function idErrorsFor(kinds: readonly Kind[]) {
  const names = namesOf(kinds);
  return (value: unknown, at: string): readonly FieldError[] => {
    if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
    const isValid = kinds.some((kind) => isId(kind, value));
    return isValid ? NO_FIELD_ERRORS : fieldError(at, 'invalid_format', `must be the id of one of: ${names}.`);
  };
}

/** The id of an entity of one of these kinds; the service checks whether it exists. */
export function Id(kind: Kind | readonly Kind[], options: FieldOptions = {}): PropertyDecorator {
  const kinds = typeof kind === 'string' ? [kind] : kind;
  return field(
    { errorsOf: idErrorsFor(kinds), isText: true, kinds },
    { type: 'string', pattern: referenceOf(kinds) },
    options,
  );
}

const RESOURCE_REFERENCE_KINDS: readonly Kind[] = ['resource', 'user'];

/** The schema of a reference to a resource: its id, that of its user, or `me`. */
export const RESOURCE_REFERENCE = { type: 'string', pattern: `^me$|${patternOf(RESOURCE_REFERENCE_KINDS)}` } as const;

function resourceReferenceErrors(value: unknown, at: string): readonly FieldError[] {
  if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
  const kind = kindOf(value);
  if (value === 'me' || (kind !== undefined && RESOURCE_REFERENCE_KINDS.includes(kind))) return NO_FIELD_ERRORS;
  return fieldError(at, 'invalid_format', 'must be the id of a resource (res_...) or a user (usr_...), or me.');
}

/** A reference to an assignee or owner: the id of a resource, the id of a user (for that user's resource), or `me`. */
export function ResourceRef(options: FieldOptions = {}): PropertyDecorator {
  return field({ errorsOf: resourceReferenceErrors, isText: true }, RESOURCE_REFERENCE, options);
}

/** A list of references to resources, each at most once. */
export function ResourceRefs({
  min = 0,
  max = 50,
  ...options
}: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const errorsOf = (value: unknown, at: string) => listErrors(value, at, { min, max }, resourceReferenceErrors);
  const minimum = min > 0 ? { minItems: min } : {};
  const schema = { type: 'array', items: RESOURCE_REFERENCE, ...minimum, maxItems: max, uniqueItems: true } as const;
  return field({ errorsOf }, schema, options);
}

/** A list of ids of entities of one kind, each at most once. */
export function Ids(kind: Kind, { max = 50, ...options }: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const itemErrors = idErrorsFor([kind]);
  const errorsOf = (value: unknown, at: string) => listErrors(value, at, { max }, itemErrors);
  const items = referenceTo(kind);
  return field({ errorsOf, kinds: [kind] }, { type: 'array', items, maxItems: max, uniqueItems: true }, options);
}
