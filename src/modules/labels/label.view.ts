import { defineView, integer, text } from '../../platform/database/views/view.js';

/** A label of an endeavour, with the numbers of tasks and demands that have it. */
export const labelView = defineView({
  name: 'Label',
  kind: 'label',
  table: 'labels',
  alias: 'l',
  joins: `CROSS JOIN LATERAL (
    SELECT count(DISTINCT w.entity_id) FILTER (WHERE starts_with(w.entity_id, 'tsk_')) AS tasks,
      count(DISTINCT w.entity_id) FILTER (WHERE starts_with(w.entity_id, 'dmd_')) AS demands
    FROM labeled_work w
    WHERE w.label_id = ANY(ARRAY(SELECT l.id UNION ALL SELECT m.id FROM labels m WHERE m.merged_into = l.id))) uses`,
  fields: {
    name: text('l.name'),
    tasks: integer('uses.tasks', 'The number of tasks of the endeavour that have it, in any status.'),
    demands: integer('uses.demands', 'The number of demands of the endeavour that have it, in any status.'),
  },
});
