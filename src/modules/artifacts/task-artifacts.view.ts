/** SQL for `FROM`: the artifacts of the task and those with these ids, also deleted ones. */
export const artifactsOfTask = (alias: string, task: string, others: string): string =>
  `artifacts ${alias} WHERE ${alias}.id IN (SELECT k.id FROM artifacts k WHERE k.task_id = ${task} UNION ${others})`;
