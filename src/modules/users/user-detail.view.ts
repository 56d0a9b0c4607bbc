import { joinEndeavour, joinOrganization } from '../../access/visibility/containers.view.js';
import { actsAsAdministrator } from '../../access/visibility/people.view.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { defineView, json, nullable, type ViewField, type JsonSchema } from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { userView } from './user.view.js';

/** SQL: whether the caller sees all properties: the user and administrators do. */
const SEES_ALL = `(u.id = :me OR ${actsAsAdministrator(':me')})`;

/** The properties that are visible to people who share a container with the user (spec 02). */
const SHARED_PROPERTIES = ['id', 'name', 'user_type', 'status', 'resource_id'];

/** SQL: the name of the role with the rank. */
const roleOf = (rank: string): string => `(ARRAY['${ENDEAVOUR_ROLES.join("', '")}'])[${rank}]`;

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) ORDER BY o.id)
  FROM organization_resources m ${joinOrganization('o', 'm.organization_id')} WHERE m.user_id = u.id), '[]'::json)`;

const endeavours = `coalesce((
  SELECT json_agg(json_build_object('id', e.id, 'name', e.name, 'role', ${roleOf('g.rank')}) ORDER BY e.id)
  FROM (SELECT endeavour_id, max(rank) AS rank FROM endeavour_grants WHERE user_id = u.id GROUP BY 1) g
  ${joinEndeavour('e', 'g.endeavour_id')}), '[]'::json)`;

const containers = (roles: readonly string[]): JsonSchema => ({
  type: 'array',
  items: exactly({ id: { type: 'string' }, name: { type: 'string' }, role: { type: 'string', enum: [...roles] } }),
});

/** The field, null for callers who only share a container with the user. */
const restricted = <T>(field: ViewField<T>): ViewField<T | null> =>
  nullable({ ...field, sql: `CASE WHEN ${SEES_ALL} THEN ${field.sql} END` });

type RestrictedFields = { [K in keyof typeof userView.fields]: ViewField<unknown> };

/** A single user with their containers; restricted for callers who only share a container with the user. */
export const userDetailView = defineView({
  ...userView,
  whenRead: undefined,
  name: 'UserDetail',
  fields: {
    ...(Object.fromEntries(
      Object.entries(userView.fields).map(([name, field]) => [
        name,
        SHARED_PROPERTIES.includes(name) ? field : restricted(field as ViewField<unknown>),
      ]),
    ) as RestrictedFields),
    organizations: restricted(
      json<{ id: string; name: string; role: OrganizationRole }[]>(organizations, containers(ORGANIZATION_ROLES)),
    ),
    endeavours: restricted(
      json<{ id: string; name: string; role: EndeavourRole }[]>(endeavours, containers(ENDEAVOUR_ROLES)),
    ),
  },
});
