import { policiesInForceIn } from '../../../access/visibility/containers.view.js';
import { endeavoursOf, placedOf, visible } from '../../../access/visibility/visibility.js';
import { ORIGINS } from '../../../platform/database/views/lineage.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { searchedIn } from '../../../platform/database/views/text-traits.js';
import { containsText } from '../../../platform/listing/search/contained-text.js';
import { idFilter, oneOfFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { POLICY_CONTAINERS, POLICY_SCOPES, policyLifecycle } from './policy.lifecycle.js';
import { policyView } from './policy.view.js';

/** SQL: the policies in the user's containers, and the policies in force in the user's endeavours. */
const candidates = (me: string): string => `${placedOf('dod_policy', me)}
  UNION ${policiesInForceIn(endeavoursOf(me))}`;

/** Lists DoD policies, including built-in policies and earlier versions. */
export const policyList: ListDefinition = {
  view: policyView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = p.id AND ${visible('x', me, ['dod_policy'])})`,
  candidateIds: { ids: candidates, unless: ['organization_id', 'endeavour_id'] },
  filters: {
    status: oneOfFilter('p.status', policyLifecycle.statuses),
    origin: oneOfFilter('p.origin', ORIGINS),
    scope: oneOfFilter('p.scope', POLICY_SCOPES),
    organization_id: idFilter('p.organization_id', 'organization', 'Policies of this organization.', {
      isUnset: 'p.organization_id IS NULL',
    }),
    endeavour_id: idFilter('p.endeavour_id', 'endeavour', 'Policies of this endeavour.', {
      isUnset: 'p.endeavour_id IS NULL',
    }),
    container: oneOfFilter('p.container', POLICY_CONTAINERS),
    ...rangeFilters({ created: 'p.created_at', updated: 'p.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'p.created_at', type: 'timestamptz' },
    updated_at: { sql: 'p.updated_at', type: 'timestamptz' },
    name: textSort('p.name'),
    version: { sql: 'p.version', type: 'integer' },
  },
  search: { where: containsText(searchedIn(policyView)) },
};
