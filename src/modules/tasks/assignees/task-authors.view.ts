import { personBehind } from '../../../access/visibility/people.view.js';

/**
 * SQL for `FROM`: the authors of a task, whose approval does not count as a review, one per row as `person` (the resource that
 * stands for a person and their agents, see the function people_behind): its creator and importer, everyone who was ever
 * assigned to it, and the last person who changed the approved content. An assignment by another person does not count
 * for a person who neither wrote to the task nor gave it up, if it ended after less than an hour in which the task was
 * active. The function task_authors finds them, also for triggers that store who was an author.
 *
 * @param task - SQL for a row with `id` and `assignee_id`: the current task, or the task after a patch
 * @param conditions - SQL for the conditions of the policy, which determine the approved parts of the task
 * @param alias - the name of the rows
 */
export const authorsOf = (task: string, conditions: string, alias: string): string =>
  `task_authors(${task}.id, ${task}.assignee_id, ${conditions}) ${alias} (person)`;

/** SQL: whether the person behind the resource is an author of the task. */
export const isAuthorOf = (task: string, conditions: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM ${authorsOf(task, conditions, 'author')} WHERE author.person = ${personBehind(resource)})`;
