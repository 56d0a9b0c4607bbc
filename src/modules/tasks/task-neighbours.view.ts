import { TASK_STATUSES } from '../../common/statuses.js';
import { counts, json, nullable, withoutEventValue } from '../../platform/database/view.js';
import { component, exactly } from '../../platform/http/schemas.js';
import { containing } from './task-parts.view.js';

/** The most tasks that a task shows of those that it waits for. */
export const MAX_BLOCKERS = 10;

/** Looks up the dependencies first: a plan that starts from the tasks would read all tasks of the endeavour. */
const blockers = `SELECT b.id FROM tasks b
  WHERE b.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = t.id))
    AND (b.endeavour_id = t.endeavour_id) IS TRUE AND b.status IN ('planned', 'active')
  ORDER BY b.id LIMIT ${MAX_BLOCKERS}`;

/** SQL for the ids of the tasks that `t` waits for, as JSON. */
export const BLOCKED_BY = `CASE WHEN t.blocked_by_count = 0 THEN '[]'::json ELSE array_to_json(ARRAY(${blockers})) END`;

/** SQL for the task that `t` is a part of, as JSON; null if there is none. `e` is their endeavour. */
export const PARENT = `CASE WHEN e.has_parts THEN (SELECT
    json_build_object('id', whole.id, 'key', e.key || '-' || whole.number, 'title', whole.title)
  ${containing('t')} ORDER BY l.id LIMIT 1) END`;

const NO_CHILDREN = JSON.stringify(Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])));

/** SQL for the numbers of the parts of `t` by status, as JSON. `e` is their endeavour. */
export const CHILDREN = `CASE WHEN NOT e.has_parts THEN '${NO_CHILDREN}'::json ELSE (SELECT json_build_object(
    ${TASK_STATUSES.map((status) => `'${status}', count(*) FILTER (WHERE part.status = '${status}')`).join(', ')})
  FROM current_relations l
  CROSS JOIN LATERAL (SELECT x.status FROM tasks x
    WHERE x.id = l.target_entity_id AND (x.endeavour_id = t.endeavour_id) IS TRUE LIMIT 1) part
  WHERE l.source_entity_id = t.id AND l.relationship_type = 'parent_of') END`;

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
