import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { workKey } from '../../../access/references/work-keys.view.js';
import { Database } from '../../../platform/database/database.js';
import { MOST_DEMANDS, type RoadmapDemand, type RoadmapPeriod, type WorkForGoal } from './roadmap.rules.js';

/** The day on which a demand is due in the time zone `$2`. */
const DUE_DAY = 'coalesce(d.due_day, (d.due_date AT TIME ZONE $2)::date)';
const FIRST_DAY = `coalesce(d.start_date, ${DUE_DAY})`;
const LAST_DAY = `coalesce(${DUE_DAY}, d.start_date)`;

const countsOf = (kind: string): string =>
  `json_build_object(${['open', 'done', 'canceled']
    .map((state) => `'${state}', count(*) FILTER (WHERE m.kind = '${kind}' AND m.state = '${state}')`)
    .join(', ')}) AS ${kind}s`;

/** Reads what a roadmap shows of demands and of the work for goals. */
@Injectable()
export class RoadmapRepository {
  constructor(private readonly database: Database) {}

  /** The tasks and demands for these goals; goals without any are left out. */
  async workFor(goalIds: readonly string[]): Promise<Map<string, WorkForGoal>> {
    if (goalIds.length === 0) return new Map();
    const rows = await this.database.query<WorkForGoal & { id: string }>(
      `SELECT m.goal_id AS id, ${countsOf('task')}, ${countsOf('demand')} FROM goal_members m
       WHERE m.goal_id = ANY($1::text[]) GROUP BY m.goal_id`,
      [goalIds],
    );
    return new Map(rows.map(({ id, ...work }) => [id, work]));
  }

  /** The first demands of the endeavour that have days in the period, by their first days, and the number of all. */
  async demandsIn(
    endeavourId: string,
    timezone: string,
    { from, to }: RoadmapPeriod,
  ): Promise<{ demands: RoadmapDemand[]; total: number }> {
    const rows = await this.database.query<RoadmapDemand & { total: number }>(
      `SELECT d.id, ${workKey('e', 'd').sql} AS key, d.type, d.title, d.status, d.goal_id, d.iteration_id,
         d.start_date::text AS start_date, ${DUE_DAY}::text AS due_day, count(*) OVER ()::integer AS total
       FROM demands d ${joinEndeavour('e', 'd.endeavour_id')}
       WHERE d.endeavour_id = $1 AND (d.start_date IS NOT NULL OR d.due_date IS NOT NULL)
         AND ($3::date IS NULL OR ${LAST_DAY} >= $3::date) AND ($4::date IS NULL OR ${FIRST_DAY} <= $4::date)
       ORDER BY ${FIRST_DAY}, ${LAST_DAY}, d.id LIMIT ${MOST_DEMANDS}`,
      [endeavourId, timezone, from ?? null, to ?? null],
    );
    return { demands: rows.map(({ total: _total, ...demand }) => demand), total: rows.at(0)?.total ?? 0 };
  }
}
