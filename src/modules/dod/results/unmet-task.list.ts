import { endeavoursOf } from '../../../access/visibility/visibility.js';
import { defineView, id } from '../../../platform/database/views/view.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';

/** The id of a task, which is all that the evaluation needs. */
const activeTaskView = defineView({
  name: 'ActiveTask',
  kind: 'task',
  table: 'tasks',
  alias: 't',
  joins: '',
  fields: { id: id('t.id', 'task') },
});

/** Lists the active tasks of an endeavour, for their evaluation page by page. */
export const activeTaskList = (endeavourId: string): ListDefinition => ({
  view: activeTaskView,
  scope: ({ me }) => `t.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`,
  baseCondition: ({ bind }) => `t.endeavour_id = ${bind(endeavourId)} AND t.status = 'active'`,
  filters: {},
  sorts: { created_at: { sql: 't.created_at', type: 'timestamptz' } },
});
