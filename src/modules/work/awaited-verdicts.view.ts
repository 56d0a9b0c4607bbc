/** SQL: whether the latest check of the task lacked sign-offs. */
export const isSignOffAwaited = (task: string): string =>
  `EXISTS (SELECT 1 FROM awaited_verdicts w WHERE w.task_id = ${task} AND cardinality(w.roles) > 0)`;

/** Joins the sign-offs that the latest check of the task lacked, if any. */
export const joinAwaitedSignOffs = (alias: string, task: string): string =>
  `JOIN awaited_verdicts ${alias} ON ${alias}.task_id = ${task} AND cardinality(${alias}.roles) > 0`;
