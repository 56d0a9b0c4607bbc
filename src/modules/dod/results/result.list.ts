import { visible } from '../../../access/visibility/visibility.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { flagFilter, resourceFilter, wordFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { resultView } from './result.view.js';

/** Lists the results of a task, visible to everyone who can see the task. */
export const resultList: ListDefinition = {
  view: resultView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = r.task_id AND ${visible('x', me, ['task'])})`,
  filters: {
    name: wordFilter('r.name', 'Results with this name.'),
    passed: flagFilter('r.passed', 'NOT r.passed', 'Whether the check passed.'),
    posted_by: resourceFilter('r.posted_by', 'Results posted by this resource.'),
    ...rangeFilters({ created: 'r.created_at' }),
  },
  sorts: { created_at: { sql: 'r.created_at', type: 'timestamptz' } },
};

export const resultsOfTask = { list: resultList, belongs: (task: string): string => `r.task_id = ${task}` };
