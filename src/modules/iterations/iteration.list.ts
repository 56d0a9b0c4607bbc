import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { iterationLifecycle } from './iteration.lifecycle.js';
import { dayNumber } from './iteration-references.view.js';
import { iterationView } from './iteration.view.js';

/** How iterations are listed. */
export const iterationList: ListDefinition = {
  view: iterationView,
  partitions: endeavourPartitions('i.endeavour_id'),
  isArchived: inArchived({ endeavour: 'i.endeavour_id' }),
  baseCondition: 'i.deleted_at IS NULL',
  filters: {
    endeavour_id: idFilter('i.endeavour_id', 'endeavour', 'Iterations of this endeavour.'),
    status: oneOfFilter('i.status', iterationLifecycle.statuses),
    ...rangeFilters({ created: 'i.created_at', updated: 'i.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    updated_at: { sql: 'i.updated_at', type: 'timestamptz' },
    start_day: { sql: dayNumber('i.start_day'), type: 'integer' },
    name: textSort('i.name'),
  },
  search: { where: containsText(['i.name', 'i.goal']) },
};
