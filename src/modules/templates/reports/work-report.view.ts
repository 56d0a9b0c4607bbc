import { actsAsAdministrator, joinResource } from '../../../access/visibility/people.view.js';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { endeavoursOf } from '../../../access/visibility/visibility.js';
import { TASK_STATUSES } from '../../../common/statuses.js';
import { rowsOf } from '../../../platform/database/views/view.js';
import { demandLifecycle } from '../../demands/demand.lifecycle.js';
import { demandView } from '../../demands/demand.view.js';
import { endeavourView } from '../../endeavours/endeavour.view.js';
import { organizationView } from '../../organizations/organization.view.js';
import { taskView } from '../../tasks/task.view.js';
import type { ReportSubjects } from './report-subjects.js';
import {
  countVariable,
  entityListVariable,
  entityVariable,
  valueVariable,
  type Variables,
} from './report-variables.view.js';

/** The maximum number of tasks, and of demands, in a list for a template. */
export const MAX_WORK = 500;
/** The number of days without a change after which an open task counts as stale. */
export const STALE_DAYS = 14;
export const TREND_DAYS = 14;

const isOpen = "t.status IN ('planned', 'active')";
const isOverdue = `${isOpen} AND t.due_date < :now`;
const isStale = `${isOpen} AND t.updated_at < :now - interval '${STALE_DAYS} days'`;
const inEndeavour = 't.endeavour_id = :id';
const byProgress = `array_position(ARRAY['active', 'planned', 'done', 'canceled'], t.status), t.due_date NULLS LAST`;
const byPriority = `array_position(ARRAY['urgent', 'high', 'medium', 'low'], d.priority), d.created_at`;

const countBy = (statuses: readonly string[], more: string, from: string): string =>
  `(SELECT json_build_object('total', count(*), ${statuses
    .map((status) => `'${status}', count(*) FILTER (WHERE status = '${status}')`)
    .join(', ')}${more}) FROM ${from})`;

const taskCounts = countBy(
  TASK_STATUSES,
  `, 'overdue', count(*) FILTER (WHERE ${isOverdue}), 'stale', count(*) FILTER (WHERE ${isStale}),
     'unassigned', count(*) FILTER (WHERE ${isOpen} AND t.assignee_id IS NULL)`,
  `${rowsOf(taskView)} WHERE ${inEndeavour}`,
);
/** The stages of the endeavour in their order, with their tasks; none without stages. */
const stages = `coalesce((SELECT json_agg(json_build_object('id', s.value ->> 'id', 'name', s.value ->> 'name', 'status', s.value ->> 'status',
      'wip_limit', s.value -> 'wip_limit', 'tasks', coalesce(k.tasks, 0)) ORDER BY s.place)
  FROM (SELECT :id AS id) reported ${joinEndeavour('home', 'reported.id')}
  CROSS JOIN jsonb_array_elements(coalesce(home.stages, '[]')) WITH ORDINALITY AS s (value, place)
  LEFT JOIN (SELECT stage_in(own.stages, t.status, t.stage) ->> 'id' AS id, count(*) AS tasks FROM ${rowsOf(taskView)}
      ${joinEndeavour('own', 't.endeavour_id')} WHERE ${inEndeavour} AND own.stages IS NOT NULL GROUP BY 1) k
    ON k.id = s.value ->> 'id'), '[]'::json)`;

const demandCounts = countBy(demandLifecycle.statuses, '', `${rowsOf(demandView)} WHERE d.endeavour_id = :id`);

const contributors = `coalesce((SELECT json_agg(row_to_json(who)) FROM (
  SELECT r.id AS resource_id, r.name, count(*) AS tasks,
    ${TASK_STATUSES.map((status) => `count(*) FILTER (WHERE t.status = '${status}') AS ${status}`).join(', ')},
    coalesce(sum(t.actual), 0) AS hours
  FROM ${rowsOf(taskView)} ${joinResource('r', 't.assignee_id')} WHERE ${inEndeavour}
  GROUP BY r.id, r.name ORDER BY count(*) FILTER (WHERE t.status = 'done') DESC, r.name, r.id LIMIT 100) who), '[]'::json)`;

const dayOf = (time: string): string => `date_trunc('day', ${time} AT TIME ZONE home.timezone)`;
const perDay = (time: string): string =>
  `(SELECT ${dayOf(`t.${time}`)} AS day, count(*) AS tasks FROM ${rowsOf(taskView)} ${joinEndeavour('home', 't.endeavour_id')}
    WHERE ${inEndeavour} AND t.${time} > :now - interval '${TREND_DAYS + 1} days' GROUP BY 1)`;

const trend = `(SELECT json_agg(json_build_object('day', to_char(day, 'YYYY-MM-DD'),
    'created', coalesce(created.tasks, 0), 'done', coalesce(done.tasks, 0)) ORDER BY day)
  FROM (SELECT :id AS id) reported ${joinEndeavour('home', 'reported.id')}
  CROSS JOIN generate_series(${dayOf(':now')} - interval '${TREND_DAYS - 1} days', ${dayOf(':now')}, interval '1 day') day
  LEFT JOIN ${perDay('created_at')} created USING (day) LEFT JOIN ${perDay('completed_at')} done USING (day))`;

const endeavour: Variables = {
  endeavour: entityVariable(endeavourView),
  goals: valueVariable(endeavourView, 'e.goals'),
  counts: `json_build_object('tasks', ${taskCounts}, 'demands', ${demandCounts})`,
  stages,
  demands: entityListVariable(demandView, 'd.endeavour_id = :id', byPriority, MAX_WORK),
  tasks: entityListVariable(taskView, inEndeavour, byProgress, MAX_WORK),
  overdue_tasks: entityListVariable(taskView, `${inEndeavour} AND ${isOverdue}`, 't.due_date', 100),
  stale_tasks: entityListVariable(taskView, `${inEndeavour} AND ${isStale}`, 't.updated_at', 100),
  contributors,
  trend,
};

/** SQL: whether the endeavour is linked to the organization and visible to the reader; some may be private. */
const isLinked = `e.status <> 'archived'
  AND e.id IN (SELECT l.endeavour_id FROM organization_endeavours l WHERE l.organization_id = :id)
  AND (e.id = ANY(ARRAY(${endeavoursOf(':me')}))
    OR ${actsAsAdministrator(':me')})`;

const organization: Variables = {
  organization: entityVariable(organizationView),
  endeavours: entityListVariable(endeavourView, isLinked, 'lower(e.name)', 200),
  endeavour_total: countVariable(endeavourView, isLinked),
};

const demand: Variables = {
  demand: entityVariable(demandView),
  tasks: entityListVariable(taskView, 't.demand_id = :id', byProgress, MAX_WORK),
};

const task: Variables = { task: entityVariable(taskView) };

/** Registers the report variables for endeavours, organizations, demands and tasks. */
export function addWorkVariables(subjects: ReportSubjects): void {
  subjects.add('endeavour', endeavour);
  subjects.add('organization', organization);
  subjects.add('demand', demand);
  subjects.add('task', task);
}
