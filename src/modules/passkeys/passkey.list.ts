import type { ListDefinition } from '../../platform/listing/definition.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { passkeyView } from './passkey.view.js';

/** The caller's own passkeys, also for administrators. */
export const passkeyList: ListDefinition = {
  view: passkeyView,
  scope: () => 'true',
  baseCondition: ({ me }) => `p.user_id = ${me} AND p.ended_at IS NULL`,
  filters: rangeFilters({ created: 'p.created_at', updated: 'p.updated_at' }),
  sorts: {
    name: textSort('p.name'),
    created_at: { sql: 'p.created_at', type: 'timestamptz' },
  },
};
