import { Injectable } from '@nestjs/common';
import { showsCapacityOf } from '../../../access/visibility/capacity-visibility.js';
import { homeOfEndeavour } from '../../../access/visibility/containers.view.js';
import { joinResource } from '../../../access/visibility/people.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { endeavoursOf } from '../../../access/visibility/visibility.js';
import { Database } from '../../../platform/database/database.js';
import { bindCallerId, wireTime } from '../../../platform/database/views/view.js';
import { resourceView } from '../../resources/resource.view.js';
import type { Period } from '../progress/period.js';
import type { Week, WeekTime, WeekWork } from './load.rules.js';

/** The maximum number of assignees in a response. */
export const MAX_ASSIGNEES = 500;

type Starts = Omit<Week, 'ends_at'>[];

interface ResourceRow {
  starts: Starts;
  capacity: number | null;
  work: WeekWork[];
  spent: WeekTime[];
  elsewhere: number | null;
}

export interface AssigneeRow {
  id: string;
  name: string;
  capacity: number | null;
  work: WeekWork[];
  spent: WeekTime[];
  elsewhere: number | null;
}

interface EndeavourRow {
  starts: Starts;
  assignees: AssigneeRow[];
  omitted: number;
  unassigned: WeekWork[];
}

/** The weeks of a response and their time zone. */
export interface Weeks {
  timezone: string;
  period: Period;
  now: Date;
}

/** `$1` the caller, `$2` the resource or endeavour, `$3` the time zone, `$4` to `$5` the period, `$6` now. */
const WEEKS = `starts AS MATERIALIZED (
    SELECT week::date AS date, week AT TIME ZONE $3 AS at
    FROM generate_series(date_trunc('week', $4::timestamptz AT TIME ZONE $3),
      date_trunc('week', $5::timestamptz AT TIME ZONE $3) + interval '1 week', interval '1 week') week),
  edges AS MATERIALIZED (SELECT array_agg(at ORDER BY date) AS at FROM starts)`;

const STARTS = `(SELECT json_agg(json_build_object('date', date::text, 'starts_at', ${wireTime('at')}) ORDER BY date)
    FROM starts)`;

/** The number of the week in which a task is due, from 1; overdue tasks count in the current week. */
const WEEK = `width_bucket(greatest(t.due_date, $6::timestamptz), (SELECT at FROM edges))`;
const IN_PERIOD = `(t.due_date IS NULL OR ${WEEK} BETWEEN 1 AND (SELECT cardinality(at) - 1 FROM edges))`;
const IS_OPEN = `t.status IN ('planned', 'active')`;
const WORK = `CASE WHEN t.due_date IS NOT NULL THEN ${WEEK} END AS week, count(*) AS tasks,
    coalesce(sum(t.estimate), 0) AS hours, count(*) FILTER (WHERE t.estimate IS NULL) AS unestimated,
    coalesce(sum(t.points), 0) AS points`;

/** SQL: the minutes of the time entries `l` in each week. Their days are those of the weeks, in any time zone. */
const SPENT = `(l.day - (SELECT min(date) FROM starts)) / 7 + 1 AS week, sum(l.minutes)::float8 AS minutes FROM logged_time l
    WHERE l.day >= (SELECT min(date) FROM starts) AND l.day < (SELECT max(date) FROM starts)`;

/** The capacity of `r` if the caller can see it. */
const { fields, joins } = resourceView;
const CAPACITY = bindCallerId(
  `CASE WHEN ${fields.capacity_model.sql} = 'hours_per_week' THEN ${fields.capacity_value.sql} END`,
);
const RESOURCE_JOINS = bindCallerId(joins);

/** The membership of `r` in the home organization of the endeavour `$2`, whose capacity precedes the own one. */
const JOIN_SEAT = `LEFT JOIN organization_resources seat
  ON seat.organization_id = ${homeOfEndeavour('$2')} AND seat.resource_id = r.id`;
const CAPACITY_HERE = `CASE WHEN seat.capacity IS NULL THEN ${CAPACITY}
    WHEN ${showsCapacityOf('seat.user_id', 'seat.organization_id', '$1')} THEN seat.capacity END`;

/**
 * SQL: whether the caller may see how much other work the resource has: its user, and admins of its home organization.
 */
const maySeeElsewhere = ({ isAdmin, containerId }: Caller): string => {
  if (containerId !== undefined) return 'false';
  return isAdmin
    ? 'true'
    : `(r.user_id = $1 OR EXISTS (SELECT 1 FROM organization_resources mine
        WHERE mine.organization_id = r.organization_id AND mine.user_id = $1 AND role_rank(mine.role) >= 3))`;
};

const elsewhere = (me: Caller, isHere: string): string => `CASE WHEN ${maySeeElsewhere(me)} THEN
    (SELECT coalesce(sum(t.estimate), 0) FROM tasks t WHERE t.assignee_id = r.id AND ${IS_OPEN}
      AND t.due_date IS NOT NULL AND ${IN_PERIOD} AND NOT ${isHere}) END`;

const jsonOf = (rows: string): string => `coalesce((SELECT json_agg(row_to_json(work)) FROM (${rows}) work), '[]')`;

/** Reads the planned work of resources by week. */
@Injectable()
export class LoadRepository {
  constructor(private readonly database: Database) {}

  /** The tasks of a resource that the caller can see. */
  ofResource(me: Caller, resourceId: string, weeks: Weeks): Promise<ResourceRow> {
    const isVisibleAt = (row: string): string =>
      me.isAdmin ? 'true' : `(${row}.endeavour_id = ANY(ARRAY(${endeavoursOf('$1')})))`;
    const isVisible = isVisibleAt('t');
    return this.read<ResourceRow>(
      me,
      resourceId,
      weeks,
      `SELECT ${STARTS} AS starts, ${CAPACITY} AS capacity,
         ${jsonOf(`SELECT ${WORK} FROM tasks t
           WHERE t.assignee_id = r.id AND ${IS_OPEN} AND ${IN_PERIOD} AND ${isVisible} GROUP BY 1`)} AS work,
         ${jsonOf(`SELECT ${SPENT} AND l.resource_id = r.id AND ${isVisibleAt('l')} GROUP BY 1`)} AS spent,
         ${elsewhere(me, isVisible)} AS elsewhere
       FROM (SELECT $2::text AS id) requested ${joinResource('r', 'requested.id')} ${RESOURCE_JOINS} WHERE $1::text IS NOT NULL`,
    );
  }

  /** The open tasks of an endeavour by assignee, most hours first, with those who only spent time on some. */
  ofEndeavour(me: Caller, endeavourId: string, weeks: Weeks): Promise<EndeavourRow> {
    return this.read<EndeavourRow>(
      me,
      endeavourId,
      weeks,
      `, work AS MATERIALIZED (SELECT t.assignee_id, ${WORK} FROM tasks t
           WHERE t.endeavour_id = $2 AND ${IS_OPEN} AND ${IN_PERIOD} GROUP BY 1, 2),
         spent AS MATERIALIZED (SELECT l.resource_id, ${SPENT} AND l.endeavour_id = $2 GROUP BY 1, 2),
         people AS MATERIALIZED (SELECT id, sum(hours) AS hours FROM (
             SELECT assignee_id AS id, hours FROM work WHERE assignee_id IS NOT NULL
             UNION ALL SELECT resource_id, 0 FROM spent) listed GROUP BY 1),
         ranked AS MATERIALIZED (SELECT id, hours FROM people ORDER BY hours DESC, id LIMIT ${MAX_ASSIGNEES}),
         assignees AS (SELECT r.id, r.name, ${CAPACITY_HERE} AS capacity, ranked.hours,
             ${jsonOf(`SELECT week, tasks, hours, unestimated, points FROM work WHERE work.assignee_id = r.id`)} AS work,
             ${jsonOf('SELECT week, minutes FROM spent WHERE spent.resource_id = r.id')} AS spent,
             ${elsewhere(me, '(t.endeavour_id = $2)')} AS elsewhere
           FROM ranked ${joinResource('r', 'ranked.id')} ${RESOURCE_JOINS} ${JOIN_SEAT})
       SELECT ${STARTS} AS starts,
         (SELECT coalesce(json_agg(to_jsonb(assignees) - 'hours' ORDER BY assignees.hours DESC, assignees.id), '[]')
           FROM assignees) AS assignees,
         (SELECT count(*)::integer FROM people) - (SELECT count(*)::integer FROM ranked) AS omitted,
         ${jsonOf('SELECT week, tasks, hours, unestimated, points FROM work WHERE assignee_id IS NULL')} AS unassigned
       WHERE $1::text IS NOT NULL`,
    );
  }

  private async read<R>(me: Caller, id: string, { timezone, period, now }: Weeks, select: string): Promise<R> {
    const values = [me.userId, id, timezone, period.from, period.to, now];
    const row = await this.database.one<R>(`WITH ${WEEKS} ${select}`, values);
    if (row === undefined) throw new Error('the statement returned no row');
    return row;
  }
}
