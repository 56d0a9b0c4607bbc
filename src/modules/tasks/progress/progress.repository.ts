import { Injectable } from '@nestjs/common';
import { joinResource } from '../../../access/visibility/people.view.js';
import { Database } from '../../../platform/database/database.js';
import { wireTime } from '../../../platform/database/views/view.js';
import type { Period } from './period.js';
import { tasksBelow } from '../parts/task-parts.view.js';
import type {
  DayStart,
  Measure,
  ProgressInterval,
  RepeatedClosings,
  StatusChanges,
  StatusCounts,
} from './progress.rules.js';
import { DAYS, FIRST, hoursBetween, LAST } from './period.view.js';

/** The maximum number of people in a response whose hours are shown. */
export const MOST_PEOPLE = 500;

/** What the progress of an endeavour is computed for. */
export interface FlowRequest {
  timezone: string;
  interval: ProgressInterval;
  measure: Measure;
  /** The task to whose parts it is limited. */
  under?: string;
  period: Period;
  now: Date;
}

/** The number of durations, their median and their 85th percentile in hours. */
interface DurationsRow {
  tasks: number;
  percentiles: [median: number, p85: number] | null;
}

/** The rows from which progress is computed. */
export interface FlowRow {
  /** The start of each day, and the end of the last one. */
  days: DayStart[];
  moves: StatusChanges[];
  repeated: RepeatedClosings[];
  counts: Partial<StatusCounts>;
  cycleTime: DurationsRow;
  plannedAge: DurationsRow;
  spent: { minutes: number; people: number; most: { id: string; name: string; minutes: number }[] };
  activeAge: DurationsRow;
}

const durations = (hours: string, from: string): string => `(SELECT json_build_object('tasks', count(*),
    'percentiles', percentile_cont(ARRAY[0.5, 0.85]) WITHIN GROUP (ORDER BY ${hours})) FROM ${from})`;

const HAS_REPEATED = 'EXISTS (SELECT 1 FROM repeated)';

/** SQL: the size of tasks. A task has the size that it has now, also in the past. */
const SIZE: Record<Measure, string> = {
  count: 'count(*)',
  hours: 'coalesce(sum(t.estimate), 0)',
  points: 'coalesce(sum(t.points), 0)',
};

/**
 * SQL: start and end of the work on what was completed in the period, each task by its last completion. The index that
 * covers the completions has no ids, so repeated ones are taken out as equal pairs; without any, this costs nothing.
 */
function completed(isPart: string): string {
  const done = `SELECT s.started_at, s.entered_at FROM task_statuses s
    WHERE s.endeavour_id = $1 AND s.status = 'done' AND s.started_at IS NOT NULL
      AND s.entered_at >= ${FIRST} AND s.entered_at < ${LAST} ${isPart}`;
  return `SELECT * FROM (${done}) plain WHERE NOT (SELECT ${HAS_REPEATED})
  UNION ALL SELECT * FROM (${done} EXCEPT ALL SELECT r.started_at, r.entered_at FROM repeated r WHERE r.status = 'done') once
    WHERE (SELECT ${HAS_REPEATED})`;
}

/**
 * `$1` the endeavour, `$2` its time zone, `$3` day or week, `$4` and `$5` the first and the last moment, `$6` now, `$7` the
 * task whose parts are meant. Status changes before the period are not read, and one index covers all columns that are
 * read of status changes to count tasks.
 */
function flowOf(measure: Measure, isLimited: boolean): string {
  const size = SIZE[measure];
  const isPart = isLimited ? 'AND s.task_id IN (SELECT id FROM parts)' : '';
  const tasks = `tasks t WHERE t.endeavour_id = $1 ${isLimited ? 'AND t.id IN (SELECT id FROM parts)' : ''}`;
  const isSpentOnPart = isLimited ? 'AND l.task_id IN (SELECT id FROM parts)' : '';
  const open = (status: string): string => `${tasks} AND t.status = '${status}'`;
  const sized = (row: string): string => (measure === 'count' ? '' : `JOIN tasks t ON t.id = ${row}.task_id`);
  return `WITH ${isLimited ? `parts AS MATERIALIZED (${tasksBelow('ARRAY[$7::text]')}),` : ''}
  ${DAYS},
  moves AS (
    SELECT width_bucket(s.entered_at, (SELECT at FROM edges)) AS day, s.previous_status AS "from", s.status AS "to",
      ${size} AS size, coalesce(sum(s.hours), 0) AS hours
    FROM task_statuses s ${sized('s')} WHERE s.endeavour_id = $1 AND s.entered_at >= ${FIRST} ${isPart} GROUP BY 1, 2, 3),
  repeated AS MATERIALIZED (
    SELECT s.entered_at, s.started_at, s.status, s.task_id FROM task_statuses s
    WHERE s.endeavour_id = $1 AND s.entered_at >= ${FIRST} AND s.closed_again_at < ${LAST} ${isPart}),
  spent AS MATERIALIZED (
    SELECT l.resource_id AS id, sum(l.minutes)::float8 AS minutes FROM logged_time l
    WHERE l.endeavour_id = $1 AND l.day >= (SELECT min(date) FROM days) AND l.day < (SELECT max(date) FROM days)
      ${isSpentOnPart} GROUP BY 1),
  most AS (
    SELECT r.id, r.name, spent.minutes FROM spent ${joinResource('r', 'spent.id')}
    ORDER BY spent.minutes DESC, r.id LIMIT ${MOST_PEOPLE})
  SELECT (SELECT json_agg(json_build_object('date', date::text, 'starts_at', ${wireTime('starts_at')}) ORDER BY date)
      FROM days) AS days,
    (SELECT coalesce(json_agg(row_to_json(moves)), '[]') FROM moves) AS moves,
    (SELECT coalesce(json_agg(row_to_json(counted)), '[]') FROM (
      SELECT width_bucket(r.entered_at, (SELECT at FROM edges)) AS day, r.status AS "to", ${size} AS size
      FROM repeated r ${sized('r')} GROUP BY 1, 2) counted) AS repeated,
    (SELECT coalesce(json_object_agg(status, size), '{}') FROM (
      SELECT t.status, ${size} AS size FROM ${tasks} GROUP BY t.status) counted) AS counts,
    ${durations(hoursBetween('s.started_at', 's.entered_at'), `(${completed(isPart)}) s`)} AS "cycleTime",
    (SELECT json_build_object('minutes', coalesce(sum(minutes), 0), 'people', count(*), 'most',
      (SELECT coalesce(json_agg(row_to_json(most) ORDER BY most.minutes DESC, most.id), '[]') FROM most)) FROM spent) AS spent,
    ${durations(hoursBetween('t.created_at', '$6::timestamptz'), open('planned'))} AS "plannedAge",
    ${durations(hoursBetween('coalesce(t.started_at, t.created_at)', '$6::timestamptz'), open('active'))} AS "activeAge"`;
}

/** Reads the status changes of the tasks of an endeavour from one snapshot. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly database: Database) {}

  async read(endeavourId: string, request: FlowRequest): Promise<FlowRow> {
    const { timezone, interval, measure, under, period, now } = request;
    const values: unknown[] = [endeavourId, timezone, interval, period.from, period.to, now];
    if (under !== undefined) values.push(under);
    const row = await this.database.one<FlowRow>(flowOf(measure, under !== undefined), values);
    if (row === undefined) throw new Error('the statement returned no row');
    return row;
  }

  async hasTask(endeavourId: string, taskId: string): Promise<boolean> {
    const task = await this.database.one('SELECT 1 FROM tasks WHERE id = $1 AND endeavour_id = $2', [
      taskId,
      endeavourId,
    ]);
    return task !== undefined;
  }
}
