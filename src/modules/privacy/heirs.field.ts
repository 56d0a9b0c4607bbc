import { isId } from '../../common/ids.js';
import { isRecord } from '../../common/texts/json.js';
import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions } from '../../platform/http/bodies/fields/field.js';

const MOST = 200;

/** The new owners of containers: user ids by the ids of organizations and endeavours. */
export type HeirsByContainer = Record<string, string>;

function heirsErrors(value: unknown, at: string) {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object that maps container ids to user ids.');
  const entries = Object.entries(value);
  if (entries.length > MOST) return fieldError(at, 'too_long', `must have at most ${MOST} properties.`);
  const isValid = entries.every(
    ([container, newOwner]) =>
      (isId('organization', container) || isId('endeavour', container)) &&
      typeof newOwner === 'string' &&
      isId('user', newOwner),
  );
  if (isValid) return NO_FIELD_ERRORS;
  return fieldError(
    at,
    'invalid_format',
    'must map organizations (org_...) or endeavours (edv_...) to users (usr_...).',
  );
}

/** An object that maps containers to their new owners. */
export function Heirs(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MOST } as never;
  return field({ errorsOf: heirsErrors }, schema, options);
}
