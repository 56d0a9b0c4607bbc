import { personBehind } from '../../access/people.view.js';
import { isInRound } from '../tasks/task-history.view.js';
import { joinTask } from '../tasks/task-references.view.js';

const OPEN = "('planned', 'active')";

/** SQL: the relations that make other tasks parts or blockers of the task, each with that task as `other`. */
const edgesOf = (task: string): string => `(
  SELECT l.id, l.deleted_at, 'part' AS role, l.target_entity_id AS other FROM relations l
    WHERE l.source_entity_id = ${task}.id AND l.relationship_type = 'parent_of' AND l.target_entity_type = 'task'
  UNION ALL SELECT l.id, l.deleted_at, 'blocker', l.target_entity_id FROM relations l
    WHERE l.source_entity_id = ${task}.id AND l.relationship_type = 'depends_on' AND l.target_entity_type = 'task'
  UNION ALL SELECT l.id, l.deleted_at, 'blocker', l.source_entity_id FROM relations l
    WHERE l.target_entity_id = ${task}.id AND l.relationship_type = 'blocks' AND l.source_entity_type = 'task')`;

/**
 * SQL for `FROM`: the open tasks that are or were parts or blockers of the task in its current round, as `role` and `id`.
 * For an edge that was lost meanwhile, `lost_by` is the person who did it last, `by_admin` whether as an admin, and
 * `by_author` whether as an author of the task, null if that was not stored; for one that is there, `is_lost` is false.
 *
 * @param task - SQL for a row with `id`, `endeavour_id` and `round_started_at`
 */
export const openEdgesOf = (task: string): string => `(
  SELECT DISTINCT ON (edge.role, other.id) edge.role, other.id,
    NOT is_there.yes AS is_lost, ${personBehind('lost.lost_by')} AS lost_by, coalesce(lost.by_admin, false) AS by_admin,
    lost.by_author
  FROM ${edgesOf(task)} edge
    ${joinTask('other', 'edge.other')}
    CROSS JOIN LATERAL (SELECT edge.deleted_at IS NULL AND other.endeavour_id = ${task}.endeavour_id AS yes) is_there
    LEFT JOIN LATERAL (SELECT s.id, s.lost_by, s.by_admin, s.by_author FROM lost_edges s
      WHERE s.relation_id = edge.id AND ${isInRound(task, 's.lost_at')} ORDER BY s.id DESC LIMIT 1) lost ON true
  WHERE other.status IN ${OPEN} AND (is_there.yes OR lost.id IS NOT NULL)
  ORDER BY edge.role, other.id, is_there.yes DESC, lost.id DESC)`;
