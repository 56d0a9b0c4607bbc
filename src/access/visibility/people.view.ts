/**
 * SQL about users and resources, for the statements of features that have only their ids. Visibility depends on these
 * tables, so every feature reads them; only this file and the features that own them name their columns.
 */

export const joinUser = (alias: string, id: string): string => `JOIN users ${alias} ON ${alias}.id = ${id}`;

export const leftJoinUser = (alias: string, id: string): string => `LEFT ${joinUser(alias, id)}`;

/** Joins the user of a resource. */
export const joinUserOf = (alias: string, resource: string): string =>
  `JOIN users ${alias} ON ${alias}.resource_id = ${resource}`;

export const leftJoinUserOf = (alias: string, resource: string): string => `LEFT ${joinUserOf(alias, resource)}`;

export const joinResource = (alias: string, id: string): string => `JOIN resources ${alias} ON ${alias}.id = ${id}`;

export const leftJoinResource = (alias: string, id: string): string => `LEFT ${joinResource(alias, id)}`;

/** Joins the resource for the id of a resource or of its user. */
export const joinResourceBehind = (alias: string, id: string): string =>
  `JOIN resources ${alias} ON ${alias}.id = ${id} OR ${alias}.user_id = ${id}`;

/** SQL for `FROM`: the resources with these ids, a list or a query. */
export const resourcesWithIds = (alias: string, ids: string): string =>
  `resources ${alias} WHERE ${alias}.id IN (${ids})`;

/** SQL for `FROM`: the users with these ids, a list or a query. */
export const usersWithIds = (alias: string, ids: string): string => `users ${alias} WHERE ${alias}.id IN (${ids})`;

/** SQL for `FROM`: the resources with these ids, an array. */
export const resourcesAmong = (alias: string, ids: string): string =>
  `resources ${alias} WHERE ${alias}.id = ANY(${ids})`;

/** SQL for `FROM`: the active users, as `u`. */
export const ACTIVE_USERS = `users u WHERE u.status = 'active'`;

/** SQL: whether an active person is behind the user: an agent has the rights of its manager, and owns nothing alone. */
export const isActivePerson = (user: string): string => `${user}.status = 'active' AND NOT ${user}.is_managed`;

/**
 * SQL: whether the user is active, and for an agent also its manager, without whom it can do nothing. `managerStatus` is
 * SQL for the status of the manager, for statements that have joined it.
 */
export const canAct = (
  user: string,
  managerStatus = `(SELECT manager.status FROM users manager WHERE manager.id = ${user}.manager_id)`,
): string => `(${user}.status = 'active' AND (NOT ${user}.is_managed OR ${managerStatus} = 'active'))`;

const grantedRank = (userId: string, endeavour: string): string =>
  `coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = ${endeavour} AND g.user_id = ${userId}), 0)`;

/**
 * SQL: the rank of the user in the endeavour, 0 for none; that of an agent is at most that of its manager, unless the
 * manager is an administrator.
 */
export const rankToAct = (user: string, endeavour: string): string =>
  `CASE WHEN ${user}.manager_id IS NULL OR ${isAdministrator(`${user}.manager_id`)} THEN ${grantedRank(`${user}.id`, endeavour)}
     ELSE least(${grantedRank(`${user}.id`, endeavour)}, ${grantedRank(`${user}.manager_id`, endeavour)}) END`;

/** SQL for `FROM`: the active users, as `u`, and their resources, as `r`. */
export const ACTIVE_PEOPLE = `users u ${joinResource('r', 'u.resource_id')} WHERE u.status = 'active'`;

export const isAdministrator = (user: string): string =>
  `EXISTS (SELECT 1 FROM users admin WHERE admin.id = ${user} AND admin.is_admin)`;

/**
 * SQL: whether the caller has the rights of an administrator; an access token that is restricted to a container has none,
 * even if an administrator created it, nor has a session from which organizations are withheld. `me` is an expression for the id of the caller.
 */
export const actsAsAdministrator = (me: string): string =>
  `(coalesce(current_setting('worksmith.container', true), '') = ''
    AND coalesce(current_setting('worksmith.withheld', true), '') = '' AND ${isAdministrator(me)})`;

export const resourceOfUser = (user: string): string =>
  `(SELECT own.resource_id FROM users own WHERE own.id = ${user})`;

export const emailOfUser = (user: string): string => `(SELECT own.email FROM users own WHERE own.id = ${user})`;

/** SQL for `ANY(ARRAY(...))`: the users of resources. `ids` is a query. */
export const usersOfResources = (ids: string): string =>
  `SELECT r.user_id FROM resources r WHERE r.id = ANY(ARRAY(${ids}))`;

/** The resources of users; for `IN (...)`. `ids` is an array. */
export const resourcesOfUsers = (ids: string): string => `SELECT u.resource_id FROM users u WHERE u.id = ANY(${ids})`;

/** A statement that locks the row of the user `$1` until the end of the transaction. */
export const LOCK_USER = 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE';

/** SQL for `IN (...)`: the members of a team. */
export const membersOfTeam = (team: string): string =>
  `SELECT m.resource_id FROM team_members m WHERE m.team_id = ${team}`;

/** SQL for `IN (...)`: the teams of a resource. */
export const teamsOfResource = (resource: string): string =>
  `SELECT m.team_id FROM team_members m WHERE m.resource_id = ${resource}`;

/** SQL: the number of members of those teams together, counted up to a limit; other ids have none. */
export const countTeamMembers = (teams: string, limit: number): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM team_members m WHERE m.team_id = ANY(${teams}) LIMIT ${limit}) counted)`;

export const joinTeamMembers = (alias: string, team: string): string =>
  `JOIN team_members ${alias} ON ${alias}.team_id = ${team}`;

/** SQL: the resource of the person who is responsible for this one now: the manager of an agent, otherwise itself. */
export const personBehind = (resource: string): string => `person_behind(${resource})`;

/**
 * SQL for `FROM`: the people who answer for what the resource did between two times: the person behind it now, and those who
 * managed it meanwhile. Two people are never one.
 */
export const peopleBehind = (resource: string, [since, until]: readonly [since: string, until: string]): string =>
  `people_behind(${resource}, ${since}, ${until})`;

/** SQL: whether the person behind the resource now is one of those who answer for what another resource did then. */
export const answersFor = (resource: string, other: string, period: readonly [since: string, until: string]): string =>
  `${personBehind(resource)} IN (SELECT ${peopleBehind(other, period)})`;

/** SQL: whether the resource is an agent that has had another manager since a time. */
export const wasManagedByOther = (resource: string, since: string): string =>
  `EXISTS (SELECT 1 FROM users own JOIN former_managers f ON f.agent_id = own.id
    WHERE own.resource_id = ${resource} AND f.ended_at >= ${since})`;

/** SQL that names the actor of the transaction to triggers; not null. */
export const nameActor = (resource: string): string => `set_config('worksmith.actor', ${resource}, true)`;
