import { ApiError } from '../../common/errors.js';
import type { Actor } from '../../platform/context/actor.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';

const managersTokenRequired = (): ApiError =>
  new ApiError(
    'forbidden',
    "Only access tokens that the agent's manager created can do this; ask the manager for one.",
    { required: "an access token from the agent's manager", reason: 'managers_token_required' },
  );

/** Rejects an access token for an agent that another admin than its manager created; has no effect on other callers. */
export function assertByManager({ isByOtherAdmin }: Pick<Actor, 'isByOtherAdmin'>): void {
  if (isByOtherAdmin === true) throw managersTokenRequired();
}

/** The same, for operations that are reserved for the tokens of the manager. */
export function assertManagersToken(operation: OperationId, me: Pick<Actor, 'isByOtherAdmin'>): void {
  if (permissionOf(operation).isForManagersTokens === true) assertByManager(me);
}

/**
 * SQL: whether the creator of the token `a` of the user `u` is still allowed to create it. Users create their own tokens.
 * For an agent, its manager, administrators, and admins of its organization can; admins of the organization only within
 * that organization, and for an endeavour only as its admins.
 */
export const CREATOR_IS_ALLOWED = `(a.made_by = a.user_id OR EXISTS (
  SELECT 1 FROM users maker WHERE maker.id = a.made_by AND maker.status = 'active' AND (
    maker.is_admin OR maker.id = u.manager_id OR (
      coalesce(a.organization_id, u.agent_of) = u.agent_of
      AND EXISTS (SELECT 1 FROM organization_resources m
        WHERE m.organization_id = u.agent_of AND m.user_id = maker.id AND m.role IN ('admin', 'owner'))
      AND (a.endeavour_id IS NULL OR EXISTS (SELECT 1 FROM endeavour_grants g
        WHERE g.endeavour_id = a.endeavour_id AND g.user_id = maker.id AND g.rank >= 3))))))`;

/** SQL: whether the token `a` of the agent `u` was created by somebody other than the agent's manager. */
export const IS_BY_OTHER_ADMIN = `(a.made_by <> a.user_id AND a.made_by IS DISTINCT FROM u.manager_id)`;

/**
 * SQL: the creator of the token `a`, if that is neither the agent's manager nor an administrator; otherwise null. The
 * rights of this person limit the token.
 */
export const LIMITING_CREATOR = `CASE WHEN ${IS_BY_OTHER_ADMIN}
  AND NOT (SELECT maker.is_admin FROM users maker WHERE maker.id = a.made_by) THEN a.made_by END`;

/**
 * SQL: the organization of the agent, if the token `a` was created by an admin of that organization who is neither the
 * agent's manager nor an administrator; otherwise null. Restricts such tokens if they name no container themselves.
 */
export const ORGANIZATION_OF_CREATOR = `CASE WHEN ${LIMITING_CREATOR} IS NOT NULL THEN u.agent_of END`;

/** SQL: whether the user manages the agent (an alias of `users`), or is an admin of its organization. */
export const isDirectedBy = (agent: string, me: string): string =>
  `(${agent}.manager_id = ${me} OR ${agent}.agent_of IN (SELECT m.organization_id FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))`;

/** A statement that finds the agent `$2` if the user `$1` directs it, or if `$3` is true. */
export const DIRECTED_AGENT = `SELECT u.id, u.name, u.manager_id AS "managerId",
  (SELECT manager.resource_id FROM users manager WHERE manager.id = u.manager_id) AS "managerResourceId" FROM users u WHERE u.id = $2 AND u.agent_of IS NOT NULL
  AND u.erased_at IS NULL AND ($3 OR ${isDirectedBy('u', '$1')})`;

/** The same, and locks the row of the agent until the end of the transaction. */
export const LOCK_DIRECTED_AGENT = `${DIRECTED_AGENT} FOR NO KEY UPDATE`;

/** SQL for `IN (...)`: the agents that a user manages. */
export const agentsManagedBy = (user: string): string =>
  `SELECT agent.id FROM users agent WHERE agent.manager_id = ${user}`;
