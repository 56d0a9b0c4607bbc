import { ORGANIZATION_ROLES } from '../../common/roles.js';
import { defineView, id, nullable, oneOf, text, time } from '../../platform/database/view.js';

/** The people of organizations: their own id stands for the row, because in one organization it is unique. */
const table = `(SELECT user_id AS id, organization_id, resource_id, role, joined_at
  FROM organization_resources WHERE user_id IS NOT NULL)`;

const isSeenByAdmin = `(
  EXISTS (SELECT 1 FROM users viewer WHERE viewer.id = :me AND viewer.is_admin)
  OR EXISTS (SELECT 1 FROM organization_resources viewer
             WHERE viewer.organization_id = m.organization_id AND viewer.user_id = :me AND role_rank(viewer.role) >= 3))`;

/** A member of an organization as the other members see it. */
export const organizationMemberView = defineView({
  name: 'OrganizationMember',
  kind: 'user',
  table,
  alias: 'm',
  joins: 'JOIN users u ON u.id = m.id',
  fields: {
    user_id: id('m.id', 'user'),
    resource_id: id('m.resource_id', 'resource'),
    name: text('u.name'),
    email: nullable(text(`CASE WHEN ${isSeenByAdmin} THEN u.email END`, 'Shown to admins of the organization.')),
    role: oneOf('m.role', ORGANIZATION_ROLES),
    joined_at: time('m.joined_at'),
  },
});
