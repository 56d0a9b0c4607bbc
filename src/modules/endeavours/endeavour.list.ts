import { endeavoursOf } from '../../access/visibility/visibility.js';
import { externalFilter } from '../../platform/listing/external-filter.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { watchingFilter } from '../watches/watch.view.js';
import { endeavourLifecycle } from './endeavour.lifecycle.js';
import { endeavourView } from './endeavour.view.js';

/** Lists endeavours; archived ones only if the status is requested. */
export const endeavourList: ListDefinition = {
  view: endeavourView,
  scope: ({ me }) => `e.id = ANY(ARRAY(${endeavoursOf(me)}))`,
  defaultFilters: { status: "e.status <> 'archived'" },
  filters: {
    status: oneOfFilter('e.status', endeavourLifecycle.statuses, { hidden: ['archived'] }),
    organization_id: idFilter(
      (ids, { bind }) =>
        `e.id IN (SELECT l.endeavour_id FROM organization_endeavours l WHERE l.organization_id = ANY(${bind(ids)}::text[]))`,
      'organization',
      'Endeavours that are linked to this organization.',
      { isUnset: 'NOT EXISTS (SELECT 1 FROM organization_endeavours l WHERE l.endeavour_id = e.id)' },
    ),
    external: externalFilter('e'),
    watching: watchingFilter('e.id'),
    ...rangeFilters({ created: 'e.created_at', updated: 'e.updated_at' }),
  },
  sorts: {
    name: textSort('e.name'),
    created_at: { sql: 'e.created_at', type: 'timestamptz' },
    updated_at: { sql: 'e.updated_at', type: 'timestamptz' },
    start_date: { sql: 'e.start_date', type: 'timestamptz', nullable: true },
    end_date: { sql: 'e.end_date', type: 'timestamptz', nullable: true },
  },
  search: { where: containsText(searchedIn(endeavourView)) },
};
