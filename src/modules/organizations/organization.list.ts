import { organizationsOf } from '../../access/visibility/visibility.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { organizationLifecycle } from './organization.lifecycle.js';
import { organizationView } from './organization.view.js';

/** Filters, sorts and search of organizations. Archived ones are only listed if the status is requested. */
export const organizationList: ListDefinition = {
  view: organizationView,
  scope: ({ me }) => `o.id IN (${organizationsOf(me)})`,
  defaultFilters: { status: "o.status <> 'archived'" },
  filters: {
    status: oneOfFilter('o.status', organizationLifecycle.statuses, { hidden: ['archived'] }),
    ...rangeFilters({ created: 'o.created_at', updated: 'o.updated_at' }),
  },
  sorts: {
    name: textSort('o.name'),
    created_at: { sql: 'o.created_at', type: 'timestamptz' },
    updated_at: { sql: 'o.updated_at', type: 'timestamptz' },
  },
  search: { where: containsText(searchedIn(organizationView)) },
};
