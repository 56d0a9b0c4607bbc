/**
 * SQL: whether the maker of the token `a` of the user `u` still may have made it. Of an agent, others than its manager and
 * administrators may as admins of its organization, for what is in it.
 */
export const MAKER_MAY = `(a.made_by = a.user_id OR EXISTS (
  SELECT 1 FROM users maker WHERE maker.id = a.made_by AND maker.status = 'active' AND (
    maker.is_admin OR maker.id = u.manager_id OR (
      coalesce(a.organization_id, u.agent_of) = u.agent_of
      AND EXISTS (SELECT 1 FROM organization_resources m
        WHERE m.organization_id = u.agent_of AND m.user_id = maker.id AND m.role IN ('admin', 'owner'))
      AND (a.endeavour_id IS NULL OR EXISTS (SELECT 1 FROM endeavour_grants g
        WHERE g.endeavour_id = a.endeavour_id AND g.user_id = maker.id AND g.rank >= 3))))))`;

/** SQL: the container to which such a token is restricted, where it names none itself. */
export const OF_MAKER = `CASE WHEN a.made_by <> a.user_id AND a.made_by IS DISTINCT FROM u.manager_id
  AND NOT (SELECT maker.is_admin FROM users maker WHERE maker.id = a.made_by) THEN u.agent_of END`;

/** SQL: whether the user manages the agent, a row of users, or administers its organization. */
export const isDirectedBy = (agent: string, me: string): string =>
  `(${agent}.manager_id = ${me} OR ${agent}.agent_of IN (SELECT m.organization_id FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))`;

/**
 * A statement for one column of the agent `$2`, if the user `$1` directs it or `$3` is true. It keeps the row from being
 * changed until the transaction ends.
 */
export const lockDirectedAgent = (column: string): string =>
  `SELECT u.${column} FROM users u WHERE u.id = $2 AND u.agent_of IS NOT NULL AND u.erased_at IS NULL
     AND ($3 OR ${isDirectedBy('u', '$1')}) FOR NO KEY UPDATE`;

/** The agents that a user manages; for `IN (...)`. */
export const agentsManagedBy = (user: string): string =>
  `SELECT agent.id FROM users agent WHERE agent.manager_id = ${user}`;
