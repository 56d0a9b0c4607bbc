/** SQL about the past of tasks, for the statements of features that have only their ids. */

/** SQL for `FROM`: how long the task was in each status, as `status` and `seconds`; imported periods do not count. */
export const timeInStatuses = (task: string): string => `(
  SELECT s.status, sum(extract(epoch FROM coalesce(s.left_at, clock_timestamp()) - s.entered_at)) AS seconds
  FROM task_statuses s WHERE s.task_id = ${task} AND NOT s.imported GROUP BY s.status)`;

/** SQL: whether the time is in the current round of the task, a row with `round_started_at`. */
export const isInRound = (task: string, time: string): string =>
  `(${task}.round_started_at IS NULL OR ${time} > ${task}.round_started_at)`;

/** SQL: whether one of these parts of the content, an array, was changed by a later revision. */
export const hasChangedSince = (task: string, parts: string, revision: string): string =>
  `EXISTS (SELECT 1 FROM tasks own, jsonb_each(own.content_changes) c
    WHERE own.id = ${task} AND c.key = ANY(${parts}) AND (c.value->>'revision')::integer > ${revision})`;

/** SQL: the id of the check with which the task was completed. */
export const completingCheckOf = (task: string): string =>
  `(SELECT own.dod_check_id FROM tasks own WHERE own.id = ${task})`;
