import { defineView, json, withoutEventValue } from '../../platform/database/view.js';
import { taskView } from './task.view.js';

const MAX_SHOWN = 10;

/** Looks up the dependencies first: a plan that starts from the tasks would read all tasks of the endeavour. */
const blockers = `SELECT b.id FROM tasks b
  WHERE b.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = t.id))
    AND (b.endeavour_id = t.endeavour_id) IS TRUE AND b.status IN ('planned', 'active')
  ORDER BY b.id LIMIT ${MAX_SHOWN}`;

/** SQL for the ids of the tasks that `t` waits for, as JSON. */
export const BLOCKED_BY = `CASE WHEN t.blocked_by_count = 0 THEN '[]'::json ELSE array_to_json(ARRAY(${blockers})) END`;

/** The OpenAPI schema of `blocked_by`. */
export const BLOCKED_BY_SCHEMA = {
  type: 'array',
  maxItems: MAX_SHOWN,
  items: { type: 'string', pattern: '^tsk_[0-9a-f]{32}$' },
  description: 'The open tasks of its endeavour that it waits for: the first ten by id.',
} as const;

/** A single task, with the tasks that it waits for. */
export const taskDetailView = defineView({
  ...taskView,
  whenRead: undefined,
  name: 'TaskDetail',
  fields: {
    ...taskView.fields,
    blocked_by: withoutEventValue(json<string[]>(BLOCKED_BY, BLOCKED_BY_SCHEMA)),
  },
});
