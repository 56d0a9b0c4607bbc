/** SQL about endeavours and organizations for the statements of features that know them only by id. */

export const joinEndeavour = (alias: string, id: string): string => `JOIN endeavours ${alias} ON ${alias}.id = ${id}`;

export const leftJoinEndeavour = (alias: string, id: string): string => `LEFT ${joinEndeavour(alias, id)}`;

/** The endeavours with these ids, under an alias; after `FROM`. `ids` is an array. */
export const endeavoursWithIds = (alias: string, ids: string): string =>
  `endeavours ${alias} WHERE ${alias}.id = ANY(${ids})`;

export const joinOrganization = (alias: string, id: string): string =>
  `JOIN organizations ${alias} ON ${alias}.id = ${id}`;

export const leftJoinOrganization = (alias: string, id: string): string => `LEFT ${joinOrganization(alias, id)}`;

export const nameOfEndeavour = (id: string): string => `(SELECT e.name FROM endeavours e WHERE e.id = ${id})`;

export const nameOfOrganization = (id: string): string => `(SELECT o.name FROM organizations o WHERE o.id = ${id})`;

/** The home organization of an endeavour; null if it has none. */
export const homeOfEndeavour = (id: string): string =>
  `(SELECT e.organization_id FROM endeavours e WHERE e.id = ${id})`;

/** The endeavours whose home an organization is; for `IN (...)`. */
export const endeavoursAtHomeIn = (organization: string): string =>
  `SELECT e.id FROM endeavours e WHERE e.organization_id = ${organization}`;

/** A statement that keeps the row of the endeavour `$1` from being changed until the transaction ends. */
export const LOCK_ENDEAVOUR = 'SELECT 1 FROM endeavours WHERE id = $1 FOR NO KEY UPDATE';

/** The endeavours `e` with the Definition of Done policy `p` that is in force there; after `FROM`. */
export const POLICIES_IN_FORCE = 'endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id';

/** The same with the endeavours that have none; the columns of `p` are null there. */
export const ENDEAVOURS_WITH_POLICY = 'endeavours e LEFT JOIN dod_policies p ON p.id = e.dod_policy_id';

/** The endeavour `e` of a row, and its policy `p`, if one is in force. */
export const joinPolicyInForce = (endeavour: string): string =>
  `${joinEndeavour('e', endeavour)} LEFT JOIN dod_policies p ON p.id = e.dod_policy_id`;

/** The endeavours `e` in which the policy is in force. */
export const joinEndeavoursUnder = (policy: string): string => `JOIN endeavours e ON e.dod_policy_id = ${policy}`;

/** The policies that are in force in these endeavours; for `IN (...)`. */
export const policiesInForceIn = (endeavours: string): string =>
  `SELECT e.dod_policy_id FROM endeavours e WHERE e.dod_policy_id IS NOT NULL AND e.id = ANY(ARRAY(${endeavours}))`;
