import { endeavoursOf } from '../../../access/visibility/visibility.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { idFilter, oneOfFilter, resourceFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { ENDORSEMENT_STATUSES } from './endorsement.entity.js';
import { endorsementView } from './endorsement.view.js';

/** Lists endorsements, visible to all members of the endeavour. */
export const endorsementList: ListDefinition = {
  view: endorsementView,
  scope: ({ me }) => `d.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`,
  filters: {
    policy_id: idFilter('d.policy_id', 'dod_policy', 'Endorsements of this policy version.'),
    resource_id: resourceFilter('d.resource_id', 'Endorsements given by this resource.'),
    endeavour_id: idFilter('d.endeavour_id', 'endeavour', 'Endorsements in this endeavour.'),
    status: oneOfFilter('d.status', ENDORSEMENT_STATUSES),
    ...rangeFilters({ created: 'd.created_at', updated: 'd.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'd.created_at', type: 'timestamptz' },
    updated_at: { sql: 'd.updated_at', type: 'timestamptz' },
  },
};
