import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { REPORT_PARTS, type Measures, type ReportPart, type Scope, type Velocity } from './iteration-report.js';
import type { IterationStatus } from './iteration.lifecycle.js';

const VELOCITY_OF = 5;

/** An iteration with its frozen report, if it was closed here. */
interface Reported {
  endeavourId: string;
  status: IterationStatus;
  closedAt: Date | null;
  report: Scope | null;
}

/**
 * The tasks by the part of the scope, as large as they were when they became part of it. Before the start, nothing is
 * committed yet, and the tasks that are in the iteration count as if they were.
 */
const PARTS = `WITH own AS (
    SELECT c.id, c.task_id, c.change, c.estimate, c.points FROM iteration_changes c WHERE c.iteration_id = $1),
  start AS (SELECT min(own.id) AS id FROM own WHERE own.change = 'started'),
  latest AS (SELECT DISTINCT ON (own.task_id) own.task_id, own.change, own.estimate, own.points FROM own
    WHERE own.change IN ('entered', 'changed', 'left') ORDER BY own.task_id, own.id DESC),
  committed AS (SELECT own.task_id, own.estimate, own.points FROM own WHERE own.change = 'committed'
    UNION ALL SELECT latest.task_id, latest.estimate, latest.points FROM latest, start
      WHERE start.id IS NULL AND latest.change <> 'left'),
  added AS (SELECT DISTINCT ON (own.task_id) own.task_id, own.estimate, own.points FROM own, start
    WHERE own.change = 'entered' AND own.id > start.id
      AND NOT EXISTS (SELECT 1 FROM committed k WHERE k.task_id = own.task_id)
    ORDER BY own.task_id, own.id),
  scope AS (SELECT task_id FROM committed UNION ALL SELECT task_id FROM added),
  outcomes AS (SELECT CASE WHEN latest.change = 'left' THEN 'removed' WHEN t.status = 'done' THEN 'completed'
      WHEN t.status = 'canceled' THEN 'canceled' ELSE 'carried_over' END AS part, latest.estimate, latest.points
    FROM scope JOIN latest USING (task_id) JOIN task_states t ON t.id = scope.task_id)
  SELECT part, count(*)::integer AS count, coalesce(sum(estimate), 0) AS hours, coalesce(sum(points), 0) AS points
  FROM (SELECT 'committed' AS part, estimate, points FROM committed
    UNION ALL SELECT 'added', estimate, points FROM added
    UNION ALL SELECT part, estimate, points FROM outcomes) parts GROUP BY part`;

const average = (measure: keyof Measures): string =>
  `coalesce(avg((last.report -> 'completed' ->> '${measure}')::double precision), 0)::double precision AS ${measure}`;

/** Computes the reports of iterations from the histories of their scopes. */
@Injectable()
export class IterationReportsRepository {
  constructor(private readonly database: Database) {}

  find(id: string): Promise<Reported | undefined> {
    return this.database.one<Reported>(
      `SELECT i.endeavour_id AS "endeavourId", i.status, i.closed_at AS "closedAt", i.report FROM iterations i
       WHERE i.id = $1`,
      [id],
    );
  }

  /** The scope as it is now. */
  async scope(id: string): Promise<Scope> {
    const rows = await this.database.query<Measures & { part: ReportPart }>(PARTS, [id]);
    const found = new Map(rows.map(({ part, ...measures }) => [part, measures]));
    const none: Measures = { count: 0, hours: 0, points: 0 };
    return Object.fromEntries(REPORT_PARTS.map((part) => [part, found.get(part) ?? none])) as Scope;
  }

  /** What the last iterations completed that were closed before that time, or now; the iteration itself not counted. */
  async velocity(id: string, { endeavourId, closedAt }: Pick<Reported, 'endeavourId' | 'closedAt'>): Promise<Velocity> {
    const row = await this.database.one<Velocity>(
      `SELECT count(*)::integer AS iterations, ${average('count')}, ${average('hours')}, ${average('points')}
       FROM (SELECT i.report FROM iterations i WHERE i.endeavour_id = $1 AND i.id <> $2 AND i.report IS NOT NULL
           AND i.closed_at <= coalesce($3::timestamptz, 'infinity')
         ORDER BY i.closed_at DESC, i.id DESC LIMIT ${VELOCITY_OF}) last`,
      [endeavourId, id, closedAt],
    );
    return row ?? { iterations: 0, count: 0, hours: 0, points: 0 };
  }
}
