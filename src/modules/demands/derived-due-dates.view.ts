/**
 * SQL that derives the due dates of the next work of the endeavour `$1` in the time zone `$2`, and yields the position
 * that it reached. `$3` is whether instants at the end of a day become that day; `$4` and `$5` are the position (null at
 * the beginning), `$6` the limit.
 */
export const deriveDueDates = (table: string): string => `
  WITH next AS MATERIALIZED (
    SELECT w.id, w.created_at, w.due_date, w.due_day,
      coalesce(w.due_day, CASE WHEN $3::boolean THEN day_ending_at(w.due_date, $2::text) END) AS day
    FROM ${table} w
    WHERE w.endeavour_id = $1 AND ($4::timestamptz IS NULL OR (w.created_at, w.id) > ($4, $5::text))
    ORDER BY w.created_at, w.id LIMIT $6),
  stale AS MATERIALIZED (
    SELECT n.id, n.day, last_second_of(n.day, $2::text) AS instant FROM next n WHERE n.day IS NOT NULL ORDER BY n.id),
  derived AS (
    UPDATE ${table} w SET due_day = stale.day, due_date = stale.instant FROM stale
    WHERE w.id = stale.id AND w.endeavour_id = $1
      AND (w.due_day IS DISTINCT FROM stale.day OR w.due_date IS DISTINCT FROM stale.instant))
  SELECT n.created_at AS "createdAt", n.id FROM next n ORDER BY n.created_at DESC, n.id DESC LIMIT 1`;
