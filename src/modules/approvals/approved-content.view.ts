import { joinPolicyInForce } from '../../access/visibility/containers.view.js';
import { isInRound } from '../tasks/task-history.view.js';
import { leftJoinTask } from '../tasks/task-references.view.js';
import { answersFor } from '../../access/visibility/people.view.js';
import { APPROVED_KINDS, type ApprovedKind } from './approved-kinds.js';

const TABLES: Record<ApprovedKind, string> = {
  task: 'tasks',
  demand: 'demands',
  endeavour: 'endeavours',
  artifact: 'artifacts',
  ritual: 'rituals',
  dod_policy: 'dod_policies',
};

const LAST_CHANGE = `own.content_changes->''`;
const CHANGED_AT = `(${LAST_CHANGE}->>'at')::timestamptz`;

/**
 * A statement that selects the `revision` of the entity `$1`, and whether the person behind the resource `$2` is its
 * creator or the last editor of its content (`is_author`).
 */
export function selectApprovedEntity(kind: ApprovedKind): string {
  const creator = kind === 'task' || kind === 'demand' ? 'creator_id' : 'created_by';
  return `SELECT own.revision, coalesce(${answersFor('$2', `own.${creator}`, ['own.created_at', 'own.created_at'])}
      OR ${answersFor('$2', `${LAST_CHANGE}->>'by'`, [CHANGED_AT, CHANGED_AT])}, false) AS is_author
    FROM ${TABLES[kind]} own WHERE own.id = $1`;
}

const policyOf = joinPolicyInForce('own.endeavour_id');

const contents = APPROVED_KINDS.map((kind) => {
  const [parts, joins] = kind === 'task' ? ['approved_parts(p.conditions)', policyOf] : ["ARRAY['']", ''];
  return `SELECT own.content_changes AS changes, ${parts} AS parts FROM ${TABLES[kind]} own ${joins}
    WHERE a.entity_type = '${kind}' AND own.id = a.entity_id`;
}).join(' UNION ALL ');

/**
 * Joins to the approval `a` the last change of the approved content since the approval, as `change (by, at)`; nulls if
 * the content is unchanged. An approval with such a change is stale.
 */
export const CHANGE_SINCE = `LEFT JOIN LATERAL (
  SELECT c.value->>'by' AS by, (c.value->>'at')::timestamptz AS at
  FROM (${contents}) content, jsonb_each(content.changes) c
  WHERE c.key = ANY(content.parts) AND (c.value->>'revision')::integer > a.entity_revision
  ORDER BY (c.value->>'revision')::integer DESC LIMIT 1) change ON true`;

/** Joins the task that the approval `a` is about, if it is about one, for {@link IS_IN_ROUND}. */
export const APPROVED_TASK = leftJoinTask('approved_task', 'a.entity_id');

/** SQL: whether the approval `a` was given in the current round of its task; always true for other entities. */
export const IS_IN_ROUND = isInRound('approved_task', 'a.created_at');
