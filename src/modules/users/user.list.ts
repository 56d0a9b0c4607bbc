import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { USER_STATUSES, USER_TYPES } from './user.entity.js';
import { userView } from './user.view.js';

/** The list of users, for administrators; with `mine`, it contains only the caller. */
export const userList: ListDefinition = {
  view: userView,
  scope: ({ me }) => `u.id = ${me}`,
  baseCondition: 'u.erased_at IS NULL',
  filters: {
    status: oneOfFilter('u.status', USER_STATUSES),
    user_type: oneOfFilter('u.user_type', USER_TYPES),
    ...rangeFilters({ created: 'u.created_at', updated: 'u.updated_at' }),
  },
  sorts: {
    name: textSort('u.name'),
    email: { sql: 'u.email', type: 'text' },
    created_at: { sql: 'u.created_at', type: 'timestamptz' },
    last_active_at: { sql: 'u.last_active_at', type: 'timestamptz', nullable: true },
  },
  search: { where: containsText(['u.name', 'u.email']) },
};
