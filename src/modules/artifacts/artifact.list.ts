import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { externalFilter } from '../../platform/listing/external-filter.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { ARTIFACT_KINDS, ARTIFACT_STATUSES } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';

/** Filters, sorts and search of artifacts. */
export const artifactList: ListDefinition = {
  view: artifactView,
  partitions: endeavourPartitions('a.endeavour_id'),
  isArchived: inArchived({ endeavour: 'a.endeavour_id' }),
  baseCondition: 'a.deleted_at IS NULL',
  filters: {
    endeavour_id: idFilter('a.endeavour_id', 'endeavour', 'Artifacts in this endeavour.'),
    task_id: idFilter('a.task_id', 'task', 'Artifacts of this task.', { isUnset: 'a.task_id IS NULL' }),
    kind: oneOfFilter('a.kind', ARTIFACT_KINDS),
    status: oneOfFilter('a.status', ARTIFACT_STATUSES),
    tag: wordFilter((tags, { bind }) => `a.tags && ${bind(tags)}::text[]`, 'Artifacts with this tag.', {
      isUnset: 'cardinality(a.tags) = 0',
    }),
    external: externalFilter('a'),
    ...rangeFilters({ created: 'a.created_at', updated: 'a.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'a.created_at', type: 'timestamptz' },
    updated_at: { sql: 'a.updated_at', type: 'timestamptz' },
    title: textSort('a.title'),
  },
  search: { where: containsText(searchedIn(artifactView)) },
};
