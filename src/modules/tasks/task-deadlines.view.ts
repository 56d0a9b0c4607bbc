/** SQL for the open tasks that meet a condition, with due date and assignee. */
export const taskDeadlines = (condition: string): string =>
  `SELECT 'task' AS kind, id, endeavour_id, number, title, status, assignee_id, due_date AS "dueDate", due_day AS "dueDay", updated_at AS "updatedAt", revision
   FROM tasks WHERE status IN ('planned', 'active') AND ${condition}`;
