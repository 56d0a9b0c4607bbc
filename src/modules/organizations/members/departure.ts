import type { KeptRoles } from '../../../access/memberships/home-departures.js';
import { ENDEAVOUR_ROLES } from '../../../common/roles.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { parseFlag } from '../../../platform/http/requests/parsed.js';

/** The OpenAPI description of leaving an organization. */
export const LEAVING =
  "Ends the member's direct roles in endeavours whose home is this organization, the member's memberships in its " +
  'teams, and the links of its endeavours and resources to other organizations that the member administers. ' +
  'Returns the roles that ended, and the outsiders and links that the member had added.';

const text = { type: 'string' } as const;
const role = { type: 'string', enum: [...ENDEAVOUR_ROLES] } as const;
const optional = { type: ['string', 'null'] } as const;

const effects = {
  ended: { type: 'array', items: exactly({ endeavour_id: text, role }) },
  outsiders: { type: 'array', items: exactly({ endeavour_id: text, user_id: text, role }) },
  links: {
    type: 'array',
    items: exactly({
      organization_id: text,
      endeavour_id: optional,
      resource_id: optional,
      ended: { type: 'boolean' },
    }),
  },
} as const;
const deleted = { id: text, deleted: { type: 'boolean', const: true } } as const;

/** The schemas of the responses when a member leaves, and when a member or resource is removed. */
export const departed = component('Departure', exactly({ ...deleted, ...effects }));
export const departedOrUnlinked = component('DepartureOrUnlinking', exactly(deleted, effects));

const schema = { type: 'boolean' } as const;

export const keptQuery = {
  keep_endeavours: {
    description: 'Set to true to keep the direct roles of another member, at most as member. Requires the admin role.',
    schema,
  },
  keep_links: {
    description: 'Set to true to keep the links to other organizations of another member. Requires the owner role.',
    schema,
  },
};

export function readKept(query: RawQuery): KeptRoles {
  const values = readQuery(query, { keep_endeavours: parseFlag, keep_links: parseFlag });
  return { endeavours: values.get('keep_endeavours') === true, links: values.get('keep_links') === true };
}
