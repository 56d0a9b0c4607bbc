/**
 * SQL for `FROM`: the active and ready tasks of these assignees, an array. OFFSET 0 prevents the planner from starting
 * with the endeavours, because it would read all tasks of them.
 */
export const activeOrReadyTasksOf = (assignees: string): string => `(
  SELECT t.id, t.number, t.title, t.status, t.due_date, t.due_day, t.endeavour_id FROM tasks t
  WHERE t.assignee_id = ANY(${assignees}) AND t.status IN ('planned', 'active')
    AND (t.status = 'active' OR t.blocked_by_count = 0) OFFSET 0)`;

/**
 * SQL for `FROM`: the next open tasks whose due date, minus the lead time, is in the period and meets the condition on
 * `t`, with the assignee, or the owner if there is none, as `person`.
 *
 * @param from - the time and the task id that were reached last
 */
export const nextDueTasks = (
  lead: string,
  { from, to, limit }: { from: readonly [string, string]; to: string; limit: string },
  condition: string,
): string => `
  (SELECT t.due_date - ${lead} AS at, t.id, t.endeavour_id, coalesce(t.assignee_id, t.owner_id) AS person FROM tasks t
   WHERE t.status IN ('planned', 'active') AND (t.due_date, t.id) > (${from[0]} + ${lead}, ${from[1]})
     AND t.due_date < ${to} + ${lead} AND ${condition}
   ORDER BY t.due_date, t.id LIMIT ${limit})`;
