import type { ReportSubjects } from '../../templates/reports/report-subjects.js';
import { entityVariable, entityListVariable } from '../../templates/reports/report-variables.view.js';
import { runLifecycle } from '../ritual.lifecycle.js';
import { ritualRunView } from './ritual-run.view.js';
import { ritualView } from '../ritual.view.js';

const runCounts = (ritual: string): string => `(SELECT json_build_object('total', count(*),
  ${runLifecycle.statuses.map((status) => `'${status}', count(*) FILTER (WHERE done.status = '${status}')`).join(', ')})
  FROM ritual_runs done WHERE done.ritual_id = ${ritual})`;

const withRuns = { ...ritualView, fields: { ...ritualView.fields, runs: { sql: runCounts('r.id'), schema: {} } } };

/** Registers the report variables for rituals and for the rituals of an endeavour. */
export function addRitualVariables(subjects: ReportSubjects): void {
  subjects.add('ritual', {
    ritual: entityVariable(ritualView),
    runs: entityListVariable(ritualRunView, 'n.ritual_id = :id', 'n.created_at DESC', 50),
    run_counts: runCounts(':id'),
  });
  subjects.add('endeavour', {
    rituals: entityListVariable(withRuns, "r.endeavour_id = :id AND r.status = 'active'", 'lower(r.name)', 100),
  });
}
