/** SQL about tasks, for the statements of features that have only their ids. */

export const joinTask = (alias: string, id: string): string => `JOIN tasks ${alias} ON ${alias}.id = ${id}`;

export const leftJoinTask = (alias: string, id: string): string => `LEFT ${joinTask(alias, id)}`;

/** Joins the task as `alias (id, title, status)` if it meets the condition on `o`; a plan can only look it up by its id. */
export const joinTaskById = (alias: string, id: string, condition: string): string =>
  `CROSS JOIN LATERAL (SELECT o.id, o.title, o.status FROM tasks o WHERE o.id = ${id} AND ${condition} LIMIT 1) ${alias}`;
