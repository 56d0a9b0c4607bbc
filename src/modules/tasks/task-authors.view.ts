import { isSamePerson, membersOfTeam, personBehind, peopleBehind } from '../../access/people.view.js';
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

/** SQL: who wrote to the task during the assignment `h` (spec 08, Rounds): its content or hours, results, comments. */
const writers = `(SELECT unnest(h.writers) AS id
  UNION SELECT k.resource_id FROM task_contributions k
    WHERE k.task_id = h.task_id AND k.created_at BETWEEN h.assigned_at AND h.ended_at)`;

const period = ['h.assigned_at', 'h.ended_at'] as const;

/** SQL: whether the person took the ended assignment `h`, gave it up, or wrote to the task during it. */
const hasTakenPart = (person: string): string => `(${isSamePerson(person, 'h.assigned_by', period)}
  OR ${isSamePerson(person, 'h.ended_by', period)}
  OR EXISTS (SELECT 1 FROM ${writers} writer WHERE ${isSamePerson(person, 'writer.id', period)}))`;

/**
 * SQL for the authors of a task, whose approval does not count as a review, one per row as `person` (the resource that
 * stands for a person and their agents, see the function people_behind): its creator and importer, everyone who was ever
 * assigned to it, and the last person who changed the approved content. An assignment by another person does not count
 * if it has ended, the task was active for less than an hour during it, and the assignee neither wrote to the task
 * nor gave it up.
 *
 * @param task - SQL for a row with `id` and `assignee_id`: the current task, or the task after a patch
 * @param conditions - SQL for the conditions of the policy, which determine the approved parts of the task
 */
export const authorsOf = (task: string, conditions: string): string => `(SELECT DISTINCT author.person FROM (
  SELECT own.creator_id AS resource, own.created_at AS since, own.created_at AS until FROM tasks own
    WHERE own.id = ${task}.id
  UNION ALL SELECT own.imported_by, '-infinity', 'infinity' FROM tasks own
    WHERE own.id = ${task}.id AND own.imported_by IS NOT NULL
  UNION ALL SELECT ${task}.assignee_id, now(), 'infinity' WHERE ${task}.assignee_id IS NOT NULL
  UNION ALL SELECT member.id, now(), 'infinity' FROM (${membersOfTeam(`${task}.assignee_id`)}) member (id)
  UNION ALL SELECT who.person, h.assigned_at, coalesce(h.ended_at, 'infinity') FROM task_assignments h, LATERAL ${assigned} who
    WHERE h.task_id = ${task}.id AND (h.ended_at IS NULL
      OR ${timeActive} >= interval '${SHORT_ASSIGNMENT}' OR ${hasTakenPart('who.person')})
  UNION ALL (SELECT c.value->>'by', (c.value->>'at')::timestamptz, (c.value->>'at')::timestamptz
    FROM tasks own, jsonb_each(own.content_changes) c
    WHERE own.id = ${task}.id AND c.key = ANY(approved_parts(${conditions}))
    ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) acted,
  LATERAL ${peopleBehind('acted.resource', ['acted.since', 'acted.until'])} author (person)
  WHERE acted.resource IS NOT NULL)`;

/** SQL: whether the person behind the resource is an author of the task. */
export const isAuthorOf = (task: string, conditions: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM ${authorsOf(task, conditions)} author WHERE author.person = ${personBehind(resource)})`;
