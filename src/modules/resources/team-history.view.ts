/** SQL: the members of a team at any time of a period; `until` is null if the period has not ended. */
export const membersDuring = (team: string, from: string, until: string): string =>
  `SELECT m.resource_id FROM team_memberships m WHERE m.team_id = ${team}
    AND m.joined_at <= coalesce(${until}, 'infinity') AND coalesce(m.left_at, 'infinity') >= ${from}`;
