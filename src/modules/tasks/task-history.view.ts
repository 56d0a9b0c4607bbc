/** SQL about the past of tasks, for the statements of features that have only their ids. */

/** SQL for `FROM`: how long the task was in each status, as `status` and `seconds`; imported periods do not count. */
export const timeInStatuses = (task: string): string => `(
  SELECT s.status, sum(extract(epoch FROM coalesce(s.left_at, clock_timestamp()) - s.entered_at)) AS seconds
  FROM task_statuses s WHERE s.task_id = ${task} AND NOT s.imported GROUP BY s.status)`;

/** SQL: when the task was last reopened; null if it never was. */
export const lastReopening = (task: string): string =>
  `(SELECT max(s.left_at) FROM task_statuses s WHERE s.task_id = ${task} AND s.status IN ('done', 'canceled'))`;

/** SQL: whether one of these parts of the content, an array, was changed by a later revision. */
export const hasChangedSince = (task: string, parts: string, revision: string): string =>
  `EXISTS (SELECT 1 FROM tasks own, jsonb_each(own.content_changes) c
    WHERE own.id = ${task} AND c.key = ANY(${parts}) AND (c.value->>'revision')::integer > ${revision})`;
