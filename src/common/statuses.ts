/** The statuses of tasks: shared, because the progress of demands and endeavours counts tasks by them. */
export const TASK_STATUSES = ['planned', 'active', 'done', 'canceled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
