import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../common/roles.js';
import { fieldError, field, NO_FIELD_ERRORS } from '../platform/http/fields/field.js';
import { listErrors } from '../platform/http/fields/lists.js';
import { textErrors, trimmed } from '../platform/http/fields/text.js';

const MOST = 50;
const LONGEST = 100;
const RESERVED: ReadonlySet<unknown> = new Set([...ENDEAVOUR_ROLES, ...ORGANIZATION_ROLES]);

/**
 * Custom roles in which an approval can be given. Names of roles are not allowed: a stakeholder role would otherwise
 * count as the approval of an owner.
 */
export function StakeholderRoles(): PropertyDecorator {
  const faults = (value: unknown, at: string) => listErrors(value, at, { max: MOST }, faultsOfOne);
  const prepare = (value: unknown): unknown => (Array.isArray(value) ? value.map(trimmed) : value);
  const items = { type: 'string', minLength: 1, maxLength: LONGEST, not: { enum: [...RESERVED] } };
  const schema = { type: 'array', items, maxItems: MOST, uniqueItems: true } as never;
  const description = `Roles in which this person can give approvals, in your own words; must not be ${[...RESERVED].join(', ')}.`;
  return field({ faults, prepare }, schema, { description, example: ['product_owner'] });
}

function faultsOfOne(item: unknown, at: string): ReturnType<typeof textErrors> {
  const faults = textErrors(item, at, { min: 1, max: LONGEST });
  if (faults.length > 0) return faults;
  return RESERVED.has((item as string).trim().toLowerCase())
    ? fieldError(at, 'invalid_value', 'is a reserved role name.')
    : NO_FIELD_ERRORS;
}
