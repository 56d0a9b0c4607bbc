import { TASK_STATUSES } from '../../../common/statuses.js';
import { counts, json, nullable, withoutEventValue } from '../../../platform/database/views/view.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';

/**
 * SQL for the ids of the tasks that `t` waits for, as JSON. Most tasks have no neighbours, but each node of a plan costs at
 * its start also where it is not needed; what is read only for some is therefore in functions, which the planner does not
 * expand.
 */
export const BLOCKED_BY = `CASE WHEN t.blocked_by_count = 0 THEN '[]'::json ELSE open_blockers(t.id, t.endeavour_id) END`;

/** SQL for the task that `t` is a part of, as JSON; null if there is none. `e` is their endeavour. */
export const PARENT = `CASE WHEN e.has_parts THEN parent_task(t.id, t.endeavour_id, e.key) END`;

const NO_CHILDREN = JSON.stringify(Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])));

/** SQL for the numbers of the parts of `t` by status, as JSON. `e` is their endeavour. */
export const CHILDREN = `CASE WHEN NOT e.has_parts THEN '${NO_CHILDREN}'::json ELSE child_counts(t.id, t.endeavour_id) END`;

const PARENT_SCHEMA = component(
  'ParentTask',
  exactly({
    id: { type: 'string', pattern: '^tsk_[0-9a-f]{32}$' },
    key: { type: ['string', 'null'] },
    title: { type: 'string' },
  }),
);

/** The task that `t` is a part of, and the numbers of its parts: on GET one, and in lists whose `fields` names them. */
export const PART_FIELDS = {
  parent: withoutEventValue(nullable(json<{ id: string; key: string | null; title: string }>(PARENT, PARENT_SCHEMA))),
  children: withoutEventValue(counts(CHILDREN, TASK_STATUSES)),
};
