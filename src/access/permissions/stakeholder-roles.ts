import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { fieldError, field, NO_FIELD_ERRORS } from '../../platform/http/bodies/fields/field.js';
import { listErrors } from '../../platform/http/bodies/fields/lists.js';
import { textErrors, trimmed } from '../../platform/http/bodies/fields/text.js';

const MAX_ROLES = 50;
const MAX_LENGTH = 100;
const RESERVED: ReadonlySet<unknown> = new Set([...ENDEAVOUR_ROLES, ...ORGANIZATION_ROLES]);

/**
 * A list of custom roles in which an approval can be given. The names of built-in roles are reserved: an approval as a
 * custom role `owner` would otherwise count as the approval of an owner.
 */
export function StakeholderRoles(): PropertyDecorator {
  const fieldErrors = (value: unknown, at: string) => listErrors(value, at, { max: MAX_ROLES }, roleErrors);
  const prepare = (value: unknown): unknown => (Array.isArray(value) ? value.map(trimmed) : value);
  const items = { type: 'string', minLength: 1, maxLength: MAX_LENGTH, not: { enum: [...RESERVED] } };
  const schema = { type: 'array', items, maxItems: MAX_ROLES, uniqueItems: true } as never;
  const description = `Roles in which this person can give approvals, in your own words; must not be ${[...RESERVED].join(', ')}.`;
  return field({ errorsOf: fieldErrors, prepare }, schema, { description, example: ['product_owner'] });
}

function roleErrors(item: unknown, at: string): ReturnType<typeof textErrors> {
  const errors = textErrors(item, at, { min: 1, max: MAX_LENGTH });
  if (errors.length > 0) return errors;
  return RESERVED.has((item as string).trim().toLowerCase())
    ? fieldError(at, 'invalid_value', 'is a reserved role name.')
    : NO_FIELD_ERRORS;
}
