import type { Filter } from '../../../platform/listing/definition.js';
import { idFilter } from '../../../platform/listing/filters.js';

/** SQL: the relations of a task with the tasks of its endeavour that contain it, which have the alias `whole`. */
export const containing = (task: string, endeavour: string): string => `FROM current_relations l
  CROSS JOIN LATERAL (SELECT p.id, p.number, p.title FROM tasks p
    WHERE p.id = l.source_entity_id AND (p.endeavour_id = ${endeavour}) IS TRUE LIMIT 1) whole
  WHERE l.target_entity_id = ${task} AND l.relationship_type = 'parent_of'`;

const CONTAINING = containing('t.id', 't.endeavour_id');

/**
 * SQL: the tasks below these in their endeavour, on all levels. Each step is an index lookup, so that the cost is that of
 * the result. `ids` is an array.
 */
export const tasksBelow = (ids: string): string => `WITH RECURSIVE under (id, endeavour_id) AS (
    SELECT r.id, r.endeavour_id FROM tasks r WHERE r.id = ANY(${ids})
    UNION SELECT part.id, part.endeavour_id FROM under
      CROSS JOIN LATERAL (SELECT l.target_entity_id AS id FROM current_relations l
        WHERE l.source_entity_id = under.id AND l.relationship_type = 'parent_of' OFFSET 0) step
      CROSS JOIN LATERAL (SELECT x.id, x.endeavour_id FROM tasks x
        WHERE x.id = step.id AND (x.endeavour_id = under.endeavour_id) IS TRUE LIMIT 1) part)
  SELECT u.id FROM under u WHERE u.id <> ALL (${ids})`;

/** Filters by the parts of tasks, which are their children by `parent_of` in the same endeavour. */
export const PART_FILTERS: Record<string, Filter> = {
  parent_id: idFilter(
    (ids, { bind }) => `EXISTS (SELECT 1 ${CONTAINING} AND whole.id = ANY(${bind(ids)}::text[]))`,
    'task',
    'Tasks that are a part of this task: its children by parent_of.',
    { isUnset: `NOT EXISTS (SELECT 1 ${CONTAINING})` },
  ),
  under: idFilter(
    (ids, { bind }) => `t.id = ANY(ARRAY(${tasksBelow(`${bind(ids)}::text[]`)}))`,
    'task',
    'Tasks below this task on any level: its parts, their parts, and so on.',
  ),
};
