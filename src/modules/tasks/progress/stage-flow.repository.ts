import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { Database } from '../../../platform/database/database.js';
import { tasksBelow } from '../parts/task-parts.view.js';
import { DAYS, FIRST, hoursBetween, LAST } from './period.view.js';
import type { FlowRequest } from './progress.repository.js';
import type { Measure } from './progress.rules.js';
import type { StageChange, StageSize } from './stage-flow.rules.js';

/** SQL: the size of the task `t`, which it has now, also in the past. */
const SIZE: Record<Measure, string> = { count: '1', hours: 'coalesce(t.estimate, 0)', points: 'coalesce(t.points, 0)' };

const percentiles = (hours: string, which: string): string =>
  `percentile_cont(ARRAY[0.5, 0.85]) WITHIN GROUP (ORDER BY ${hours}) FILTER (WHERE ${which})`;

/**
 * `$1` the endeavour, `$2` its time zone, `$3` day or week, `$4` and `$5` the first and the last moment, `$6` now, `$7` the
 * task whose parts are meant. A task without a stage of its own is in the first one since it has its status.
 */
function flowOf(measure: Measure, isLimited: boolean): string {
  const isPart = (id: string): string => (isLimited ? `AND ${id} IN (SELECT id FROM parts)` : '');
  const hasLeft = `s.left_at >= ${FIRST} AND s.left_at < ${LAST}`;
  return `WITH ${isLimited ? `parts AS MATERIALIZED (${tasksBelow('ARRAY[$7::text]')}),` : ''}
  ${DAYS},
  stays AS MATERIALIZED (
    SELECT s.stage, s.entered_at, s.left_at, ${SIZE[measure]} AS size
    FROM task_stages s JOIN tasks t ON t.id = s.task_id AND t.endeavour_id = $1
    WHERE s.endeavour_id = $1 AND (s.left_at IS NULL OR s.left_at >= ${FIRST}) ${isPart('t.id')}
    UNION ALL
    SELECT stage_in(e.stages, t.status, NULL) ->> 'id', h.entered_at, NULL, ${SIZE[measure]}
    FROM tasks t ${joinEndeavour('e', 't.endeavour_id')} JOIN task_statuses h ON h.task_id = t.id AND h.left_at IS NULL
    WHERE t.endeavour_id = $1 AND t.stage IS NULL AND t.status <> 'canceled' ${isPart('t.id')}),
  changes AS (
    SELECT c.stage AS id, width_bucket(c.at, (SELECT at FROM edges)) AS day, sum(c.size) AS size
    FROM (SELECT stage, entered_at AS at, size FROM stays UNION ALL SELECT stage, left_at, -size FROM stays) c
    WHERE c.at >= ${FIRST} GROUP BY 1, 2),
  sizes AS (
    SELECT s.stage AS id, coalesce(sum(s.size) FILTER (WHERE s.left_at IS NULL), 0) AS size,
      count(*) FILTER (WHERE ${hasLeft}) AS "tasksThatLeft",
      ${percentiles(hoursBetween('s.entered_at', 's.left_at'), hasLeft)} AS "hoursOfThose",
      count(*) FILTER (WHERE s.left_at IS NULL) AS "tasksIn",
      ${percentiles(hoursBetween('s.entered_at', '$6::timestamptz'), 's.left_at IS NULL')} AS "hoursIn"
    FROM stays s GROUP BY 1)
  SELECT (SELECT coalesce(json_agg(row_to_json(changes)), '[]') FROM changes) AS changes,
    (SELECT coalesce(json_agg(row_to_json(sizes)), '[]') FROM sizes) AS sizes`;
}

/** Reads how tasks of an endeavour went through its stages. */
@Injectable()
export class StageFlowRepository {
  constructor(private readonly database: Database) {}

  async read(
    endeavourId: string,
    { timezone, interval, measure, under, period, now }: FlowRequest,
  ): Promise<{ changes: StageChange[]; sizes: StageSize[] }> {
    const values: unknown[] = [endeavourId, timezone, interval, period.from, period.to, now];
    if (under !== undefined) values.push(under);
    const row = await this.database.one<{ changes: StageChange[]; sizes: StageSize[] }>(
      flowOf(measure, under !== undefined),
      values,
    );
    if (row === undefined) throw new Error('the statement returned no row');
    return row;
  }
}
