import { showsCapacityOf } from '../../../access/visibility/capacity-visibility.js';
import { joinUser } from '../../../access/visibility/people.view.js';
import { showsEmailOf } from '../../../access/visibility/email-visibility.js';
import { ORGANIZATION_ROLES } from '../../../common/roles.js';
import { boolean, defineView, id, nullable, number, oneOf, text, time } from '../../../platform/database/views/view.js';

/** Members as rows with an id, which is that of the user, because it is unique within an organization. */
const table = `(SELECT user_id AS id, organization_id, resource_id, role, via_group, joined_at, capacity
  FROM organization_resources WHERE user_id IS NOT NULL)`;

/** A member of an organization as the other members see it. */
export const organizationMemberView = defineView({
  name: 'OrganizationMember',
  kind: 'user',
  table,
  alias: 'm',
  joins: joinUser('u', 'm.id'),
  fields: {
    user_id: id('m.id', 'user'),
    resource_id: id('m.resource_id', 'resource'),
    name: text('u.name'),
    email: nullable(
      text(
        `CASE WHEN NOT u.is_managed AND ${showsEmailOf('m.id')} THEN u.email END`,
        'Visible to the person, and to admins of an organization that the person is a member of.',
      ),
    ),
    role: oneOf('m.role', ORGANIZATION_ROLES),
    via_group: boolean(
      'm.via_group',
      'Whether a group at the identity provider gave the role, so that only groups change it.',
    ),
    capacity: nullable(
      number(
        `CASE WHEN m.capacity IS NOT NULL AND ${showsCapacityOf('m.id', 'm.organization_id', ':me')} THEN m.capacity END`,
        'The hours per week that count in endeavours of the organization, instead of the own capacity of the person; ' +
          'null if none are set. Visible to the person, and to admins of the organization.',
      ),
    ),
    joined_at: time('m.joined_at'),
  },
});
