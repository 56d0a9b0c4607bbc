import { languageFilter } from '../../access/visibility/lineage.js';
import { inArchived } from '../../access/visibility/containers.js';
import { placedOf, visible } from '../../access/visibility/visibility.js';
import { ORIGINS } from '../../platform/database/views/lineage.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { flagFilter, idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { ritualLifecycle } from './ritual.lifecycle.js';
import { ritualView } from './ritual.view.js';

/** Filters, sorts and search of rituals, including built-in ones. */
export const ritualList: ListDefinition = {
  view: ritualView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = r.id AND ${visible('x', me, ['ritual'])})`,
  candidateIds: { ids: (me) => placedOf('ritual', me), unless: ['endeavour_id', 'organization_id'] },
  isArchived: inArchived({ endeavour: 'r.endeavour_id', organization: 'r.organization_id' }),
  filters: {
    endeavour_id: idFilter('r.endeavour_id', 'endeavour', 'Rituals in this endeavour.', {
      isUnset: 'r.endeavour_id IS NULL',
    }),
    organization_id: idFilter('r.organization_id', 'organization', 'Rituals of this organization itself.', {
      isUnset: 'r.organization_id IS NULL',
    }),
    status: oneOfFilter('r.status', ritualLifecycle.statuses),
    origin: oneOfFilter('r.origin', ORIGINS),
    lang: languageFilter('rituals', 'r'),
    is_enabled: flagFilter('r.is_enabled', 'NOT r.is_enabled', 'Whether the ritual runs on its schedule.'),
    ...rangeFilters({ created: 'r.created_at', updated: 'r.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
    updated_at: { sql: 'r.updated_at', type: 'timestamptz' },
    next_run_at: { sql: 'r.next_run_at', type: 'timestamptz', nullable: true },
    name: textSort('r.name'),
  },
  search: { where: containsText(searchedIn(ritualView)) },
};
