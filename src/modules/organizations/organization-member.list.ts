import { ORGANIZATION_ROLES } from '../../common/roles.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText, oneOfFilter } from '../../platform/listing/filters.js';
import { organizationMemberView } from './organization-member.view.js';

/** The members of one organization, whose route decides who sees it. */
export const organizationMemberList: ListDefinition = {
  view: organizationMemberView,
  joins: 'JOIN users u ON u.id = m.id',
  scope: () => 'true',
  filters: { role: oneOfFilter('m.role', ORGANIZATION_ROLES) },
  sorts: {
    joined_at: { sql: 'm.joined_at', type: 'timestamptz' },
    name: { sql: 'lower(u.name)', type: 'text' },
  },
  defaultSort: 'joined_at',
  search: { where: containsText(['u.name']) },
};
