/** SQL about the period of a progress, for statements with its time zone as `$2`, its interval as `$3` and its bounds as `$4` and `$5`. */

/** Common table expressions: the days of the period, and their starts as an array, which ends with the end of the period. */
export const DAYS = `days AS MATERIALIZED (
    SELECT day::date AS date, day AT TIME ZONE $2 AS starts_at
    FROM generate_series(date_trunc($3, $4::timestamptz AT TIME ZONE $2),
      date_trunc($3, $5::timestamptz AT TIME ZONE $2) + ('1 ' || $3)::interval, interval '1 day') day),
  edges AS MATERIALIZED (SELECT array_agg(starts_at ORDER BY date) AS at FROM days)`;

/** The start of the period. */
export const FIRST = '(SELECT at[1] FROM edges)';
/** The end of the period. */
export const LAST = '(SELECT at[cardinality(at)] FROM edges)';

/** The hours between two times; not negative, also if a clock was set back. */
export const hoursBetween = (from: string, until: string): string =>
  `greatest(extract(epoch FROM ${until} - ${from}), 0)::float8 / 3600`;
