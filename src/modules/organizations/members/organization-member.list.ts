import { joinUser } from '../../../access/visibility/people.view.js';
import { showsEmailOf } from '../../../access/visibility/email-visibility.js';
import { ORGANIZATION_ROLES } from '../../../common/roles.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { containsText } from '../../../platform/listing/search/contained-text.js';
import { oneOfFilter } from '../../../platform/listing/filters.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { organizationMemberView } from './organization-member.view.js';

/** The members of one organization; the route checks that the caller can see the organization. */
export const organizationMemberList: ListDefinition = {
  view: organizationMemberView,
  joins: joinUser('u', 'm.id'),
  scope: () => 'true',
  filters: {
    role: oneOfFilter('m.role', ORGANIZATION_ROLES),
    status: oneOfFilter('u.status', ['active', 'inactive', 'suspended']),
  },
  sorts: {
    joined_at: { sql: 'm.joined_at', type: 'timestamptz' },
    name: textSort('u.name'),
  },
  defaultSort: 'joined_at',
  search: {
    // A hidden e-mail address cannot be found by searching for it.
    where: (text, statement) =>
      containsText(['u.name', `CASE WHEN ${showsEmailOf('m.id').replaceAll(':me', statement.me)} THEN u.email END`])(
        text,
        statement,
      ),
  },
};

/** SQL: the rows of the organization; `organization` is a placeholder. */
export const membersOfOrganization = (organization: string): string => `m.organization_id = ${organization}`;
