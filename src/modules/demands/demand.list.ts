import { idsByKey } from '../../access/references/work-keys.view.js';
import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { withExpression } from '../../platform/listing/expression-filter.js';
import { externalFilter } from '../../platform/listing/external-filter.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { fullTextSearch } from '../../platform/listing/search/full-text.js';
import { flagFilter, idFilter, oneOfFilter, resourceFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { labelFilters } from '../labels/labels.view.js';
import { iterationFilter, iterationSort } from '../iterations/iteration-references.view.js';
import { watchingFilter } from '../watches/watch.view.js';
import { inOrganizations } from './work-of-organizations.view.js';
import { demandLifecycle, PRIORITIES } from './demand.lifecycle.js';
import { startFilters, startSort } from './start-dates.view.js';
import { rankSort } from './ranks/ranks.view.js';
import { demandView } from './demand.view.js';

const isOverdue = `(d.due_date < now() AND d.status IN ('open', 'in_progress'))`;

/** Filters, sorts and search of demands. */
export const demandList: ListDefinition = {
  view: demandView,
  partitions: endeavourPartitions('d.endeavour_id'),
  isArchived: inArchived({ endeavour: 'd.endeavour_id' }),
  takesSavedQueries: true,
  filters: withExpression({
    status: oneOfFilter('d.status', demandLifecycle.statuses),
    endeavour_id: idFilter('d.endeavour_id', 'endeavour', 'Demands in this endeavour.'),
    organization_id: inOrganizations('d.endeavour_id'),
    overdue: flagFilter(
      isOverdue,
      `NOT coalesce(${isOverdue}, false)`,
      'Demands that are open or in progress and past their due date.',
    ),
    type: wordFilter('d.type', 'Demands of this type.'),
    iteration: iterationFilter('d'),
    goal_id: idFilter('d.goal_id', 'goal', 'For this goal of an endeavour.', { isUnset: 'd.goal_id IS NULL' }),
    priority: oneOfFilter('d.priority', PRIORITIES),
    ...labelFilters('d'),
    owner_id: resourceFilter('d.owner_id', 'Demands owned by this resource.', { withTeams: true }),
    creator_id: resourceFilter('d.creator_id', 'Demands created by this resource.'),
    key: idFilter('d.id', 'demand', 'The demands with these keys or ids.'),
    external: externalFilter('d'),
    watching: watchingFilter('d.id'),
    ...startFilters('d'),
    ...rangeFilters({
      created: 'd.created_at',
      updated: 'd.updated_at',
      due: { instant: 'd.due_date', day: 'd.due_day' },
    }),
  }),
  sorts: {
    created_at: { sql: 'd.created_at', type: 'timestamptz' },
    updated_at: { sql: 'd.updated_at', type: 'timestamptz' },
    start_date: startSort('d'),
    due_date: { sql: 'd.due_date', type: 'timestamptz', nullable: true },
    priority: { sql: `array_position(ARRAY['${PRIORITIES.join("', '")}'], d.priority)`, type: 'integer' },
    rank: rankSort('d'),
    iteration: iterationSort('d'),
    title: textSort('d.title'),
    number: { sql: 'd.number', type: 'integer', nullable: true },
  },
  search: fullTextSearch('demands', 'd', idsByKey),
};
