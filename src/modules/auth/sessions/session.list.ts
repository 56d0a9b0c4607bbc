import type { ListDefinition } from '../../../platform/listing/definition.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { sessionView } from './session.view.js';

/** Lists the caller's own active sessions, also for administrators. */
export const sessionList: ListDefinition = {
  view: sessionView,
  scope: () => 'true',
  baseCondition: ({ me }) => `s.user_id = ${me} AND s.ended_at IS NULL AND s.expires_at > now()`,
  filters: rangeFilters({ created: 's.created_at' }),
  sorts: {
    created_at: { sql: 's.created_at', type: 'timestamptz' },
    expires_at: { sql: 's.expires_at', type: 'timestamptz' },
  },
};
