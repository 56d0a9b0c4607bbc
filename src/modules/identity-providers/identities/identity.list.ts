import type { ListDefinition } from '../../../platform/listing/definition.js';
import { idFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { isOfLiveProvider } from '../identity-provider.view.js';
import { identityView } from './identity.view.js';

/** The caller's own identities, also for administrators; those of deleted providers are of no use. */
export const identityList: ListDefinition = {
  view: identityView,
  scope: () => 'true',
  baseCondition: ({ me }) => `idn.user_id = ${me} AND idn.ended_at IS NULL AND ${isOfLiveProvider('idn.provider_id')}`,
  filters: {
    provider_id: idFilter('idn.provider_id', 'identity_provider', 'The identity at this provider.'),
    ...rangeFilters({ created: 'idn.created_at', updated: 'idn.updated_at' }),
  },
  sorts: { created_at: { sql: 'idn.created_at', type: 'timestamptz' } },
};
