/**
 * SQL that locks the task `own` and the tasks of its endeavour that wait for it, in the order of their ids, where the
 * condition on `own` holds. Joined to a statement that locks `own`, it comes first, so that clients who close tasks that
 * wait for each other do not wait for each other in a circle.
 */
export const lockDependents = (condition: string): string => `CROSS JOIN LATERAL (SELECT count(*) AS held FROM (
  SELECT 1 FROM tasks p WHERE ${condition} AND (p.endeavour_id = own.endeavour_id) IS TRUE AND p.id = ANY(ARRAY(
    SELECT own.id UNION SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = own.id))
  ORDER BY p.id FOR NO KEY UPDATE) locked) dependents`;
