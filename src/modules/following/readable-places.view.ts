/**
 * SQL for the places of the feed that a user may read at this moment: `base` is the container or user, `place` the same
 * with `:admin` behind it where the user is admin. Who is confined to a container reads nothing that is between people.
 */
export const readablePlaces = (me: string, { isConfined = false } = {}): string => `
  SELECT g.endeavour_id AS base, g.endeavour_id AS place FROM endeavour_grants g WHERE g.user_id = ${me}
  UNION SELECT g.endeavour_id, g.endeavour_id || ':admin' FROM endeavour_grants g WHERE g.user_id = ${me} AND g.rank >= 3
  UNION SELECT m.organization_id, m.organization_id FROM organization_resources m WHERE m.user_id = ${me}
  UNION SELECT m.organization_id, m.organization_id || ':admin' FROM organization_resources m
    WHERE m.user_id = ${me} AND role_rank(m.role) >= 3${isConfined ? '' : ownPlaces(me)}`;

const ownPlaces = (me: string): string => `
  UNION SELECT ${me}, ${me}
  UNION SELECT 'everyone', 'everyone'`;
