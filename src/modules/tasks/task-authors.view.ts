import { membersOfTeam } from '../../access/people.view.js';
import { membersDuring } from '../resources/team-history.view.js';

const SHORT_ASSIGNMENT = '1 hour';

/** SQL: how long the task was active while the assignment `h` lasted. */
const timeActive = `(SELECT coalesce(sum(
    least(coalesce(s.left_at, 'infinity'), h.ended_at) - greatest(s.entered_at, h.assigned_at)), interval '0')
  FROM task_statuses s WHERE s.task_id = h.task_id AND s.status = 'active' AND NOT s.imported
    AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at)`;

/** SQL: the assignee of the assignment `h`, or the members of the assigned team during it. */
const assigned = `(SELECT h.assignee_id AS person
  UNION ${membersDuring('h.assignee_id', 'h.assigned_at', 'h.ended_at')})`;

/** SQL: whether the person, also as another of their resources, changed the task during the assignment `h`. */
const hasWorked = (person: string): string => `person_behind(${person}) IN (SELECT person_behind(worker.id) FROM (
  SELECT unnest(h.writers) AS id
  UNION SELECT k.resource_id FROM task_contributions k
    WHERE k.task_id = h.task_id AND k.created_at BETWEEN h.assigned_at AND h.ended_at) worker)`;

/**
 * SQL for the authors of a task, whose approval does not count as a review, one per row as `person` (the resource that
 * stands for an agent and its managers, see the function person_behind): its creator, everyone who was ever assigned to
 * it, and the last person who changed the approved content. A past assignment by another person does not count if the
 * task was active for less than an hour during it and the assignee did no work on it; a current assignment always
 * counts.
 *
 * @param task - SQL for a row with `id`, `creator_id` and `assignee_id`: the current task, or the task after a patch
 * @param conditions - SQL for the conditions of the policy, which determine the approved parts of the task
 */
export const authorsOf = (
  task: string,
  conditions: string,
): string => `(SELECT DISTINCT person_behind(made.person) AS person FROM (
  SELECT ${task}.creator_id AS person
  UNION SELECT ${task}.assignee_id WHERE ${task}.assignee_id IS NOT NULL
  UNION ${membersOfTeam(`${task}.assignee_id`)}
  UNION SELECT who.person FROM task_assignments h, LATERAL ${assigned} who
    WHERE h.task_id = ${task}.id AND (h.ended_at IS NULL OR person_behind(h.assigned_by) = person_behind(who.person)
      OR ${timeActive} >= interval '${SHORT_ASSIGNMENT}' OR ${hasWorked('who.person')})
  UNION (SELECT c.value->>'by' FROM tasks own, jsonb_each(own.content_changes) c
    WHERE own.id = ${task}.id AND c.key = ANY(approved_parts(${conditions}))
    ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) made)`;
