import { joinEndeavour, joinOrganization } from '../../access/containers.view.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { defineView, json, nullable, type ViewField, type JsonSchema } from '../../platform/database/view.js';
import { exactly } from '../../platform/http/schemas.js';
import { userView } from './user.view.js';

/** Everything is shown to the user themselves and to administrators. */
const IS_NEAR = '(u.id = :me OR EXISTS (SELECT 1 FROM users viewer WHERE viewer.id = :me AND viewer.is_admin))';

/** What people who share a container with the user see; the rest is null for them (spec 02). */
const OPEN = ['id', 'name', 'user_type', 'status', 'resource_id'];

/** Effective roles by rank, as words. */
const roleOf = (rank: string): string => `(ARRAY['${ENDEAVOUR_ROLES.join("', '")}'])[${rank}]`;

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) ORDER BY o.id)
  FROM organization_resources m ${joinOrganization('o', 'm.organization_id')} WHERE m.user_id = u.id), '[]'::json)`;

const endeavours = `coalesce((
  SELECT json_agg(json_build_object('id', e.id, 'name', e.name, 'role', ${roleOf('g.rank')}) ORDER BY e.id)
  FROM (SELECT endeavour_id, max(rank) AS rank FROM endeavour_grants WHERE user_id = u.id GROUP BY 1) g
  ${joinEndeavour('e', 'g.endeavour_id')}), '[]'::json)`;

const places = (roles: readonly string[]): JsonSchema => ({
  type: 'array',
  items: exactly({ id: { type: 'string' }, name: { type: 'string' }, role: { type: 'string', enum: [...roles] } }),
});

/** The same field, null for callers who only share a container with the user. */
const guarded = <T>(field: ViewField<T>): ViewField<T | null> =>
  nullable({ ...field, sql: `CASE WHEN ${IS_NEAR} THEN ${field.sql} END` });

type Guarded = { [K in keyof typeof userView.fields]: ViewField<unknown> };

/** One user, with where they belong; those who only share a container see who it is, and null for the rest. */
export const userDetailView = defineView({
  ...userView,
  name: 'UserDetail',
  fields: {
    ...(Object.fromEntries(
      Object.entries(userView.fields).map(([name, field]) => [
        name,
        OPEN.includes(name) ? field : guarded(field as ViewField<unknown>),
      ]),
    ) as Guarded),
    organizations: guarded(
      json<{ id: string; name: string; role: OrganizationRole }[]>(organizations, places(ORGANIZATION_ROLES)),
    ),
    endeavours: guarded(json<{ id: string; name: string; role: EndeavourRole }[]>(endeavours, places(ENDEAVOUR_ROLES))),
  },
});
