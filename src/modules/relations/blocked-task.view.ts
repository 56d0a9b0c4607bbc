import { keyOfWork } from '../../access/references/work-keys.view.js';
import { json } from '../../platform/database/views/view.js';
import { joinTaskById } from '../tasks/task-references.view.js';
import { taskView } from '../tasks/task.view.js';
import type { ReportSubjects } from '../templates/reports/report-subjects.js';
import { countVariable, entityListVariable, valueVariable } from '../templates/reports/report-variables.view.js';

const OPEN = "('planned', 'active')";

/**
 * SQL: the open tasks of the same endeavour that the task `t` depends on or that block it. Each is looked up from its
 * dependency, because a plan that starts from the tasks would compare every pair of them.
 */
const openBlockers = `(SELECT DISTINCT d.blocker_id AS id FROM task_dependencies d WHERE d.task_id = t.id) related
  ${joinTaskById('other', 'related.id', `o.endeavour_id = t.endeavour_id AND o.status IN ${OPEN}`)}`;

const blockedBy = `coalesce((SELECT json_agg(json_build_object(
    'id', o.id, 'key', ${keyOfWork('o')}, 'title', o.title, 'status', o.status))
  FROM (SELECT other.id, other.title, other.status FROM ${openBlockers} ORDER BY other.id LIMIT 10) o), '[]'::json)`;

const isBlocked = `t.endeavour_id = :id AND t.status IN ${OPEN} AND t.blocked_by_count > 0`;

const withBlockers = { ...taskView, fields: { ...taskView.fields, blocked_by: json<object[]>(blockedBy, {}) } };

/** Adds the report variables about blocked tasks. */
export function addBlockedTaskVariables(subjects: ReportSubjects): void {
  subjects.add('endeavour', {
    blocked_tasks: entityListVariable(withBlockers, isBlocked, 't.due_date NULLS LAST', 100),
    blocked_total: countVariable(taskView, isBlocked),
  });
  subjects.add('task', { blocked_by: valueVariable(taskView, blockedBy) });
}
