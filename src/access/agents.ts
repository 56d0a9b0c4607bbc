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

/**
 * SQL: the organization of the agent, if the token `a` was created by an admin of that organization who is neither the
 * agent's manager nor an administrator; otherwise null. Restricts such tokens if they name no container themselves.
 */
export const ORGANIZATION_OF_CREATOR = `CASE WHEN a.made_by <> a.user_id AND a.made_by IS DISTINCT FROM u.manager_id
  AND NOT (SELECT maker.is_admin FROM users maker WHERE maker.id = a.made_by) THEN u.agent_of END`;

/** SQL: whether the user manages the agent (an alias of `users`), or is an admin of its organization. */
export const isDirectedBy = (agent: string, me: string): string =>
  `(${agent}.manager_id = ${me} OR ${agent}.agent_of IN (SELECT m.organization_id FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))`;

/** A statement that finds the agent `$2` if the user `$1` directs it, or if `$3` is true. */
export const DIRECTED_AGENT = `SELECT u.id FROM users u WHERE u.id = $2 AND u.agent_of IS NOT NULL
  AND u.erased_at IS NULL AND ($3 OR ${isDirectedBy('u', '$1')})`;

/** The same, and locks the row of the agent until the end of the transaction. */
export const LOCK_DIRECTED_AGENT = `${DIRECTED_AGENT} FOR NO KEY UPDATE`;

/** SQL for `IN (...)`: the agents that a user manages. */
export const agentsManagedBy = (user: string): string =>
  `SELECT agent.id FROM users agent WHERE agent.manager_id = ${user}`;
