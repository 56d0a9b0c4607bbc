import { personBehind } from '../../access/visibility/people.view.js';
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
 * An edge to a task that stays behind when the task is moved counts as lost by who moves it, before the move is stored.
 *
 * @param task - SQL for a row with `id`, `endeavour_id`, `round_started_at` and `moved_by`
 */
export const openEdgesOf = (task: string): string => `(
  SELECT DISTINCT ON (edge.role, other.id) edge.role, other.id,
    NOT edge_now.is_there AS is_lost,
    ${personBehind(`CASE WHEN edge_now.is_parting THEN ${task}.moved_by ELSE lost.lost_by END`)} AS lost_by,
    edge_now.is_parting OR coalesce(lost.by_admin, false) AS by_admin,
    CASE WHEN edge_now.is_parting THEN is_task_author(own.id, own.endeavour_id, ${task}.moved_by)
      ELSE lost.by_author END AS by_author
  FROM ${edgesOf(task)} edge
    ${joinTask('other', 'edge.other')}
    ${joinTask('own', `${task}.id`)}
    CROSS JOIN LATERAL (SELECT edge.deleted_at IS NULL AND other.endeavour_id = ${task}.endeavour_id AS is_there,
      edge.deleted_at IS NULL AND own.endeavour_id <> ${task}.endeavour_id AND other.endeavour_id = own.endeavour_id
        AS is_parting) edge_now
    LEFT JOIN LATERAL (SELECT s.id, s.lost_by, s.by_admin, s.by_author FROM lost_edges s
      WHERE s.relation_id = edge.id AND ${isInRound(task, 's.lost_at')} ORDER BY s.id DESC LIMIT 1) lost ON true
  WHERE other.status IN ${OPEN} AND (edge_now.is_there OR edge_now.is_parting OR lost.id IS NOT NULL)
  ORDER BY edge.role, other.id, edge_now.is_there DESC, edge_now.is_parting DESC, lost.id DESC)`;
