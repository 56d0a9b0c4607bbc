import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { flagFilter, idFilter, resourceFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { ruleView } from './rule.view.js';

/** How rules are listed. */
export const ruleList: ListDefinition = {
  view: ruleView,
  partitions: endeavourPartitions('ru.endeavour_id'),
  isArchived: inArchived({ endeavour: 'ru.endeavour_id' }),
  baseCondition: 'ru.deleted_at IS NULL',
  filters: {
    endeavour_id: idFilter('ru.endeavour_id', 'endeavour', 'Rules of this endeavour.'),
    is_enabled: flagFilter('ru.is_enabled', 'NOT ru.is_enabled', 'true for enabled rules, false for disabled ones.'),
    owner_id: resourceFilter('ru.owner_id', 'Rules that run as this resource.'),
    ...rangeFilters({ created: 'ru.created_at', updated: 'ru.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'ru.created_at', type: 'timestamptz' },
    updated_at: { sql: 'ru.updated_at', type: 'timestamptz' },
    name: textSort('ru.name'),
  },
  search: { where: containsText(['ru.name']) },
};
