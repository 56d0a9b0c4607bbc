import { joinUser } from '../../../access/visibility/people.view.js';
import { showsEmailOf } from '../../../access/visibility/email-visibility.js';
import { ENDEAVOUR_ROLES } from '../../../common/roles.js';
import { defineView, boolean, id, json, nullable, oneOf, text, time } from '../../../platform/database/views/view.js';

/** SQL: the roles in endeavours, direct and derived, with one row per user and endeavour. */
const table = `(SELECT g.user_id AS id, g.endeavour_id, max(g.rank) AS rank,
    bool_or(g.organization_id IS NULL) AS direct,
    array_remove(array_agg(g.organization_id ORDER BY g.organization_id), NULL) AS via
  FROM endeavour_grants g GROUP BY g.user_id, g.endeavour_id)`;

/**
 * Joins for the view and for conditions and sort keys of its list. A derived membership begins when the user has joined
 * the organization and the endeavour has been linked to it, whichever is later.
 */
export const endeavourMemberJoins = `
  ${joinUser('u', 'm.id')}
  LEFT JOIN endeavour_members own ON own.endeavour_id = m.endeavour_id AND own.user_id = m.id
  CROSS JOIN LATERAL (SELECT coalesce(own.joined_at, (
    SELECT min(greatest(seat.joined_at, link.linked_at))
    FROM organization_resources seat JOIN organization_endeavours link USING (organization_id)
    WHERE seat.user_id = m.id AND link.endeavour_id = m.endeavour_id)) AS joined_at) since`;

/** The representation of a member of an endeavour with a direct or derived role, for other members. */
export const endeavourMemberView = defineView({
  name: 'EndeavourMember',
  kind: 'user',
  table,
  alias: 'm',
  joins: endeavourMemberJoins,
  fields: {
    user_id: id('m.id', 'user'),
    resource_id: id('u.resource_id', 'resource'),
    name: text('u.name'),
    email: nullable(
      text(
        `CASE WHEN NOT u.is_managed AND ${showsEmailOf('m.id')} THEN u.email END`,
        'Visible to the person, and to admins of an organization that the person is a member of.',
      ),
    ),
    role: oneOf(`(ARRAY['${ENDEAVOUR_ROLES.join("', '")}'])[m.rank]`, ENDEAVOUR_ROLES),
    stakeholder_roles: json<string[]>(`coalesce(own.stakeholder_roles, '{}')`, {
      type: 'array',
      items: { type: 'string' },
    }),
    direct: boolean('m.direct'),
    via: json<string[]>('m.via', { type: 'array', items: { type: 'string' } }),
    joined_at: time('since.joined_at'),
  },
});
