import { idsByKey } from '../../access/references/work-keys.view.js';
import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import { withExpression } from '../../platform/listing/expression-filter.js';
import { externalFilter } from '../../platform/listing/external-filter.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { fullTextSearch } from '../../platform/listing/search/full-text.js';
import { flagFilter, idFilter, oneOfFilter, resourceFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { watchingFilter } from '../watches/watch.view.js';
import { PRIORITIES } from '../demands/demand.lifecycle.js';
import { startFilters, startSort } from '../demands/start-dates.view.js';
import { rankSort } from '../demands/ranks/ranks.view.js';
import { labelFilters } from '../labels/labels.view.js';
import { stageFilter, stageSort } from '../endeavours/stages/stages.view.js';
import { inOrganizations } from '../demands/work-of-organizations.view.js';
import { iterationFilter, iterationSort } from '../iterations/iteration-references.view.js';
import { DOD_OUTCOMES } from './task.entity.js';
import { PART_FILTERS } from './parts/task-parts.view.js';
import { taskView } from './task.view.js';

const isOverdue = `(t.due_date < now() AND t.status IN ('planned', 'active'))`;

const isReady = `(t.status = 'planned' AND t.blocked_by_count = 0)`;

/** Filters, sorts and search of tasks; the summary uses the same filters. */
export const taskList: ListDefinition = {
  view: taskView,
  partitions: endeavourPartitions('t.endeavour_id'),
  isArchived: inArchived({ endeavour: 't.endeavour_id' }),
  takesSavedQueries: true,
  filters: withExpression({
    status: oneOfFilter('t.status', TASK_STATUSES),
    stage: stageFilter('t'),
    endeavour_id: idFilter('t.endeavour_id', 'endeavour', 'Tasks in this endeavour.'),
    organization_id: inOrganizations('t.endeavour_id'),
    assignee_id: resourceFilter('t.assignee_id', 'Tasks assigned to this resource.', {
      withTeams: true,
      isUnset: 't.assignee_id IS NULL',
    }),
    // Literal values, so that the index of changed tasks can be used.
    dod: oneOfFilter(
      (outcomes) => `t.dod_result IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')})`,
      DOD_OUTCOMES,
      { isUnset: 't.dod_result IS NULL' },
    ),
    demand_id: idFilter('t.demand_id', 'demand', 'Tasks for this demand.', { isUnset: 't.demand_id IS NULL' }),
    ...PART_FILTERS,
    iteration: iterationFilter('t'),
    goal_id: idFilter('t.goal_id', 'goal', 'For this goal of an endeavour.', { isUnset: 't.goal_id IS NULL' }),
    priority: oneOfFilter('t.effective_priority', PRIORITIES),
    ...labelFilters('t'),
    owner_id: resourceFilter('t.owner_id', 'Tasks owned by this resource.', { withTeams: true }),
    creator_id: resourceFilter('t.creator_id', 'Tasks created by this resource.'),
    unassigned: flagFilter('t.assignee_id IS NULL', 't.assignee_id IS NOT NULL', 'Tasks without an assignee.'),
    ready: flagFilter(isReady, `NOT ${isReady}`, 'Planned, and waiting for no open task of its endeavour.'),
    blocked: flagFilter(
      't.blocked_by_count > 0',
      't.blocked_by_count = 0',
      'Blocked by an open task of its endeavour, in any status.',
    ),
    overdue: flagFilter(
      isOverdue,
      `NOT coalesce(${isOverdue}, false)`,
      'Tasks that are planned or active and past their due date.',
    ),
    summary: {
      schema: { type: 'string' },
      description: 'Returns counts by status instead of the list. Any value except false and 0 counts as true.',
      parse: (raw) => ({ value: raw !== 'false' && raw !== '0' }),
      isFlag: true,
      isUntyped: true,
    },
    key: idFilter('t.id', 'task', 'The tasks with these keys or ids.'),
    external: externalFilter('t'),
    watching: watchingFilter('t.id'),
    ...startFilters('t'),
    ...rangeFilters({
      created: 't.created_at',
      updated: 't.updated_at',
      due: { instant: 't.due_date', day: 't.due_day' },
      completed: 't.completed_at',
    }),
  }),
  sorts: {
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' },
    start_date: startSort('t'),
    due_date: { sql: 't.due_date', type: 'timestamptz', nullable: true },
    completed_at: { sql: 't.completed_at', type: 'timestamptz', nullable: true },
    title: textSort('t.title'),
    number: { sql: 't.number', type: 'integer', nullable: true },
    priority: {
      sql: `array_position(ARRAY['${PRIORITIES.join("', '")}'], t.effective_priority)`,
      type: 'integer',
    },
    rank: rankSort('t'),
    iteration: iterationSort('t'),
    stage: stageSort('t'),
    points: { sql: 't.points', type: 'double precision', nullable: true },
    status: { sql: `array_position(ARRAY['${TASK_STATUSES.join("', '")}'], t.status)`, type: 'integer' },
  },
  search: fullTextSearch('tasks', 't', idsByKey),
};

const { summary: _, ...countedFilters } = taskList.filters;

/** Counts of tasks by status, with the filters of the list but without pages. */
export const taskCounts: ListDefinition = { ...taskList, filters: countedFilters, hasNoPages: true };
