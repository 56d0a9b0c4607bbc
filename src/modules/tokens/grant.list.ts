import type { ListDefinition } from '../../platform/listing/definition.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { grantView } from './grant.view.js';

/** SQL: whether the token `a` is a grant of the user that has not ended. */
export const isGrantOf = (me: string): string => `a.user_id = ${me} AND a.kind = 'oauth' AND a.ended_at IS NULL`;

/** The grants of the caller that are in force, also for administrators. */
export const grantList: ListDefinition = {
  view: grantView,
  scope: () => 'true',
  baseCondition: ({ me }) => `${isGrantOf(me)} AND a.expires_at > now()`,
  filters: { ...rangeFilters({ created: 'a.created_at', updated: 'a.updated_at' }) },
  sorts: {
    name: textSort('a.name'),
    created_at: { sql: 'a.created_at', type: 'timestamptz' },
    expires_at: { sql: 'a.expires_at', type: 'timestamptz' },
  },
};
