import { TASK_STATUSES } from '../../../common/statuses.js';
import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';
import { containing } from './task-parts.view.js';

/** The most tasks that a task shows of those that it waits for. */
export const MAX_BLOCKERS = 10;

const count = (status: string): string => `'${status}', count(*) FILTER (WHERE part.status = '${status}')`;

/** The neighbours of a task in its endeavour, as JSON (task-neighbours.view.ts). */
export const TASK_NEIGHBOUR_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * The ids of the open tasks that the task waits for. Looks up the dependencies first: a plan that starts from the tasks
     * would read all tasks of the endeavour.
     */
    `CREATE FUNCTION open_blockers(task text, endeavour text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN array_to_json(ARRAY(SELECT b.id FROM tasks b
          WHERE b.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = task))
            AND (b.endeavour_id = endeavour) IS TRUE AND b.status IN ('planned', 'active')
          ORDER BY b.id LIMIT ${MAX_BLOCKERS}));
      END $$`,
    /** The task that the task is a part of; null if there is none. */
    `CREATE FUNCTION parent_task(task text, endeavour text, endeavour_key text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT json_build_object('id', whole.id, 'key', endeavour_key || '-' || whole.number, 'title', whole.title)
          ${containing('task', 'endeavour')} ORDER BY l.id LIMIT 1);
      END $$`,
    /** The numbers of the parts of the task by status. */
    `CREATE FUNCTION child_counts(task text, endeavour text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT json_build_object(${TASK_STATUSES.map(count).join(', ')})
          FROM current_relations l CROSS JOIN LATERAL (SELECT x.status FROM tasks x
            WHERE x.id = l.target_entity_id AND (x.endeavour_id = endeavour) IS TRUE LIMIT 1) part
          WHERE l.source_entity_id = task AND l.relationship_type = 'parent_of');
      END $$`,
  ],
  views: [],
  triggers: [],
};
