import { visible } from '../../../access/visibility/visibility.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { oneOfFilter } from '../../../platform/listing/filters.js';
import { CHECK_RESULTS } from './check.entity.js';
import { checkView } from './check.view.js';

/** Lists the checks of a task, visible to everyone who can see the task. */
export const checkList: ListDefinition = {
  view: checkView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = k.task_id AND ${visible('x', me, ['task'])})`,
  filters: { result: oneOfFilter('k.result', CHECK_RESULTS) },
  sorts: { checked_at: { sql: 'k.checked_at', type: 'timestamptz' } },
  defaultSort: '-checked_at',
};

export const checksOfTask = { list: checkList, belongs: (task: string): string => `k.task_id = ${task}` };
