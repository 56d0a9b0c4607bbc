import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { wireTime } from '../../../platform/database/view.js';
import type { Period } from '../period.js';
import type { DayStart, ProgressInterval, RepeatedClosings, StatusChanges, StatusCounts } from './progress.rules.js';

/** The number of durations, their median and their 85th percentile in hours. */
interface DurationsRow {
  tasks: number;
  percentiles: [median: number, p85: number] | null;
}

interface FlowRow {
  /** The start of each day, and the end of the last one. */
  days: DayStart[];
  moves: StatusChanges[];
  repeated: RepeatedClosings[];
  counts: Partial<StatusCounts>;
  cycleTime: DurationsRow;
  plannedAge: DurationsRow;
  activeAge: DurationsRow;
}

const durations = (hours: string, from: string): string => `(SELECT json_build_object('tasks', count(*),
    'percentiles', percentile_cont(ARRAY[0.5, 0.85]) WITHIN GROUP (ORDER BY ${hours})) FROM ${from})`;

const hoursSince = (time: string, until: string): string =>
  `greatest(extract(epoch FROM ${until} - ${time}), 0)::float8 / 3600`;

const open = (status: string): string => `tasks t WHERE t.endeavour_id = $1 AND t.status = '${status}'`;

const FIRST = '(SELECT at[1] FROM edges)';
const LAST = '(SELECT at[cardinality(at)] FROM edges)';

const DONE = `SELECT s.started_at, s.entered_at FROM task_statuses s
  WHERE s.endeavour_id = $1 AND s.status = 'done' AND s.started_at IS NOT NULL
    AND s.entered_at >= ${FIRST} AND s.entered_at < ${LAST}`;
const HAS_REPEATED = 'EXISTS (SELECT 1 FROM repeated)';

/**
 * SQL: start and end of the work on what was completed in the period, each task by its last completion. The index that
 * covers the completions has no ids, so repeated ones are taken out as equal pairs; without any, this costs nothing.
 */
const COMPLETED = `SELECT * FROM (${DONE}) plain WHERE NOT (SELECT ${HAS_REPEATED})
  UNION ALL SELECT * FROM (${DONE} EXCEPT ALL SELECT r.started_at, r.entered_at FROM repeated r WHERE r.status = 'done') once
    WHERE (SELECT ${HAS_REPEATED})`;

/**
 * `$1` the endeavour, `$2` its time zone, `$3` day or week, `$4` and `$5` the first and the last moment, `$6` now.
 * Status changes before the period are not read, and one index covers all columns that are read of status changes.
 */
const FLOW = `WITH days AS MATERIALIZED (
    SELECT day::date AS date, day AT TIME ZONE $2 AS starts_at
    FROM generate_series(date_trunc($3, $4::timestamptz AT TIME ZONE $2),
      date_trunc($3, $5::timestamptz AT TIME ZONE $2) + ('1 ' || $3)::interval, interval '1 day') day),
  edges AS MATERIALIZED (SELECT array_agg(starts_at ORDER BY date) AS at FROM days),
  moves AS (
    SELECT width_bucket(s.entered_at, (SELECT at FROM edges)) AS day, s.previous_status AS "from", s.status AS "to",
      count(*) AS tasks, coalesce(sum(s.hours), 0) AS hours
    FROM task_statuses s WHERE s.endeavour_id = $1 AND s.entered_at >= ${FIRST} GROUP BY 1, 2, 3),
  repeated AS MATERIALIZED (
    SELECT s.entered_at, s.started_at, s.status FROM task_statuses s
    WHERE s.endeavour_id = $1 AND s.entered_at >= ${FIRST} AND s.closed_again_at < ${LAST})
  SELECT (SELECT json_agg(json_build_object('date', date::text, 'starts_at', ${wireTime('starts_at')}) ORDER BY date)
      FROM days) AS days,
    (SELECT coalesce(json_agg(row_to_json(moves)), '[]') FROM moves) AS moves,
    (SELECT coalesce(json_agg(row_to_json(counted)), '[]') FROM (
      SELECT width_bucket(r.entered_at, (SELECT at FROM edges)) AS day, r.status AS "to", count(*) AS tasks
      FROM repeated r GROUP BY 1, 2) counted) AS repeated,
    (SELECT coalesce(json_object_agg(status, tasks), '{}') FROM (
      SELECT t.status, count(*) AS tasks FROM tasks t WHERE t.endeavour_id = $1 GROUP BY t.status) counted) AS counts,
    ${durations(hoursSince('s.started_at', 's.entered_at'), `(${COMPLETED}) s`)} AS "cycleTime",
    ${durations(hoursSince('t.created_at', '$6::timestamptz'), open('planned'))} AS "plannedAge",
    ${durations(hoursSince('coalesce(t.started_at, t.created_at)', '$6::timestamptz'), open('active'))} AS "activeAge"`;

/** Reads the status changes of the tasks of an endeavour from one snapshot. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly database: Database) {}

  async read(
    endeavourId: string,
    { timezone, interval, period, now }: { timezone: string; interval: ProgressInterval; period: Period; now: Date },
  ): Promise<FlowRow> {
    const values = [endeavourId, timezone, interval, period.from, period.to, now];
    const row = await this.database.one<FlowRow>(FLOW, values);
    if (row === undefined) throw new Error('the statement returned no row');
    return row;
  }
}
