/** SQL about demands for the statements of features that know them only by id. */

export const leftJoinDemand = (alias: string, id: string): string =>
  `LEFT JOIN demands ${alias} ON ${alias}.id = ${id}`;

/** The id and status of a demand, which is kept from being fulfilled or canceled until the transaction ends. */
export const leftJoinLockedDemand = (alias: string, id: string): string =>
  `LEFT JOIN LATERAL (SELECT d.id, d.status FROM demands d WHERE d.id = ${id} FOR KEY SHARE) ${alias} ON true`;

/** The open demands with a due date that meets the condition; the columns are those of `taskDeadlines`. */
export const demandDeadlines = (condition: string): string =>
  `SELECT 'demand' AS kind, id, title, status, NULL AS assignee_id, due_date AS "dueDate", updated_at AS "updatedAt", revision
   FROM demands WHERE status IN ('open', 'in_progress') AND ${condition}`;
