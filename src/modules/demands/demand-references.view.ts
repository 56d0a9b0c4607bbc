/** SQL about demands, for the statements of features that have only their ids. */

export const joinDemand = (alias: string, id: string): string => `JOIN demands ${alias} ON ${alias}.id = ${id}`;

export const leftJoinDemand = (alias: string, id: string): string => `LEFT ${joinDemand(alias, id)}`;

/** Joins the id and status of a demand, and locks it so that it is not fulfilled or canceled until the transaction ends. */
export const leftJoinLockedDemand = (alias: string, id: string): string =>
  `LEFT JOIN LATERAL (SELECT d.id, d.status FROM demands d WHERE d.id = ${id} FOR KEY SHARE) ${alias} ON true`;

/** A statement for the open demands that meet the condition, with the same columns as `taskDeadlines`. */
export const demandDeadlines = (condition: string): string =>
  `SELECT 'demand' AS kind, id, endeavour_id, number, title, status, NULL AS assignee_id, due_date AS "dueDate", due_day AS "dueDay", updated_at AS "updatedAt", revision
   FROM demands WHERE status IN ('open', 'in_progress') AND ${condition}`;
