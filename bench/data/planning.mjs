/** Labels, stages, iterations, declared fields, numbers and time entries of the work in endeavours that plan. */

export const FIELDS = [
  { key: 'severity', name: 'Severity', type: 'choice', options: ['low', 'medium', 'high', 'rare'] },
  { key: 'score', name: 'Score', type: 'number' },
  { key: 'note', name: 'Note', type: 'text' },
];

const STAGES = ['To do', 'Doing', 'Review', 'Done'];
const STATUSES = ['planned', 'active', 'active', 'done'];
const LABELS = 20;

const json = (value) => `'${JSON.stringify(value)}'::jsonb`;
const planning = (endeavours) => `generate_series(0::bigint, ${endeavours - 1}) e WHERE bench.plans(e)`;

/** SQL: the columns that a task or demand of the endeavour `e` with the number `n` gets for planning, with their values. */
export const LABELS_OF_WORK = `CASE WHEN bench.plans(e) THEN ARRAY[bench.id('lbl', e * ${LABELS} + n % ${LABELS})] END`;
export const FIELDS_OF_WORK = `CASE WHEN bench.plans(e) THEN jsonb_build_object('severity',
  CASE WHEN n % 1000 = 0 THEN 'rare' ELSE (ARRAY['low', 'medium', 'high'])[1 + n % 3] END, 'score', n % 1000,
  'note', left(a.title, 100)) ELSE '{}' END`;

/** What endeavours have before their work. */
export function plannedEndeavoursSql({ endeavours }) {
  const stages = STAGES.map((name, n) => ({
    id: `stg_${String(n).padStart(32, '0')}`,
    name,
    status: STATUSES[n],
    wip_limit: null,
  }));
  return [
    `UPDATE endeavours SET key = 'E' || e FROM generate_series(0::bigint, ${endeavours - 1}) e WHERE id = bench.id('edv', e)`,
    `UPDATE endeavours SET fields = ${json(FIELDS.map((field) => ({ options: [], ...field, applies_to: null, required_on: null, description: null })))},
       stages = ${json(stages)} FROM ${planning(endeavours)} AND id = bench.id('edv', e)`,
    `INSERT INTO labels (id, endeavour_id, name, folded)
     SELECT bench.id('lbl', e * ${LABELS} + n), bench.id('edv', e), 'area-' || n, 'area-' || n
     FROM generate_series(0, ${LABELS - 1}) n, ${planning(endeavours)}`,
    `INSERT INTO iterations (id, created_at, updated_at, name, endeavour_id, start_day, end_day, status, started_at, created_by)
     SELECT bench.id('itr', e), bench.at(e), bench.at(e), 'Sprint', bench.id('edv', e), bench.at(e)::date,
       bench.at(e)::date + 14, 'active', bench.at(e), bench.id('res', bench.member_of(e, 0)) FROM ${planning(endeavours)}`,
    `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'iteration', endeavour_id, name FROM iterations`,
  ];
}

/** What follows from the work: the values of its fields, its numbers, and the time that a tenth of the tasks took. */
export function plannedWorkSql({ tasks }) {
  return [
    ...['task', 'demand'].map(
      (
        kind,
      ) => `INSERT INTO field_values (entity_id, key, item, endeavour_id, text_value, number_value, day_value, flag_value)
       SELECT w.id, v.key, v.item, w.endeavour_id, v.text_value, v.number_value, v.day_value, v.flag_value
       FROM ${kind}s w JOIN endeavours e ON e.id = w.endeavour_id AND e.fields IS NOT NULL,
         declared_values(w.metadata, e.fields, '${kind}') v`,
    ),
    ...['task', 'demand'].map(
      (kind) => `INSERT INTO labeled_work (label_id, entity_id, endeavour_id)
       SELECT label, w.id, w.endeavour_id FROM ${kind}s w, unnest(w.labels) label`,
    ),
    `INSERT INTO work_numbers (endeavour_id, number, entity_id) SELECT endeavour_id, number, id FROM tasks
     UNION ALL SELECT endeavour_id, number, id FROM demands`,
    `INSERT INTO time_entries (id, created_at, updated_at, task_id, endeavour_id, resource_id, minutes, day, created_by)
     SELECT bench.id('tme', n), bench.at(n), bench.at(n), id, endeavour_id, owner_id, 15 + n % 100, bench.at(n)::date, owner_id
     FROM generate_series(0::bigint, ${tasks - 1}, 10) n JOIN tasks ON id = bench.id('tsk', n)`,
    `INSERT INTO entities (id, kind, endeavour_id, parent_id, title)
     SELECT id, 'time_entry', endeavour_id, task_id, 'Time' FROM time_entries`,
  ];
}
