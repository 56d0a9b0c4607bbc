/** SQL about endeavours and organizations, for the statements of features that have only their ids. */

export const joinEndeavour = (alias: string, id: string): string => `JOIN endeavours ${alias} ON ${alias}.id = ${id}`;

export const leftJoinEndeavour = (alias: string, id: string): string => `LEFT ${joinEndeavour(alias, id)}`;

/** SQL for `FROM`: the endeavours with these ids, an array. */
export const endeavoursWithIds = (alias: string, ids: string): string =>
  `endeavours ${alias} WHERE ${alias}.id = ANY(${ids})`;

export const joinOrganization = (alias: string, id: string): string =>
  `JOIN organizations ${alias} ON ${alias}.id = ${id}`;

export const leftJoinOrganization = (alias: string, id: string): string => `LEFT ${joinOrganization(alias, id)}`;

export const nameOfEndeavour = (id: string): string => `(SELECT e.name FROM endeavours e WHERE e.id = ${id})`;

export const nameOfOrganization = (id: string): string => `(SELECT o.name FROM organizations o WHERE o.id = ${id})`;

export const timezoneOfEndeavour = (id: string): string => `(SELECT e.timezone FROM endeavours e WHERE e.id = ${id})`;

/** SQL: the home organization of an endeavour; null if it has none. */
export const homeOfEndeavour = (id: string): string =>
  `(SELECT e.organization_id FROM endeavours e WHERE e.id = ${id})`;

/** SQL for `IN (...)`: the endeavours whose home is that organization. */
export const endeavoursAtHomeIn = (organization: string): string =>
  `SELECT e.id FROM endeavours e WHERE e.organization_id = ${organization}`;

/** A statement that locks the row of the endeavour `$1` until the end of the transaction. */
export const LOCK_ENDEAVOUR = 'SELECT 1 FROM endeavours WHERE id = $1 FOR NO KEY UPDATE';

/**
 * A statement that exclusively locks the endeavours `e` that `selection` (joins and a condition) leaves, in the order of
 * their ids, like `Database.lockExclusively`.
 */
export const lockEndeavoursExclusively = (selection: string): string =>
  `WITH locked AS (
     SELECT e.id FROM endeavours e ${selection} ORDER BY e.id FOR UPDATE OF e)
   UPDATE endeavours e SET holds = holds + 1 FROM locked WHERE e.id = locked.id`;

/** SQL for `FROM`: the endeavours `e` with the Definition of Done policy `p` that is in force there. */
export const POLICIES_IN_FORCE = 'endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id';

/** The same including endeavours without a policy, for which the columns of `p` are null. */
export const ENDEAVOURS_WITH_POLICY = 'endeavours e LEFT JOIN dod_policies p ON p.id = e.dod_policy_id';

/** Joins the endeavour `e` of a row, and its policy `p`, if one is in force. */
export const joinPolicyInForce = (endeavour: string): string =>
  `${joinEndeavour('e', endeavour)} LEFT JOIN dod_policies p ON p.id = e.dod_policy_id`;

/** Joins the endeavours `e` in which the policy is in force. */
export const joinEndeavoursUnder = (policy: string): string => `JOIN endeavours e ON e.dod_policy_id = ${policy}`;

/** SQL for `IN (...)`: the policies that are in force in these endeavours. */
export const policiesInForceIn = (endeavours: string): string =>
  `SELECT e.dod_policy_id FROM endeavours e WHERE e.dod_policy_id IS NOT NULL AND e.id = ANY(ARRAY(${endeavours}))`;
