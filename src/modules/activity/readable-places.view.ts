/**
 * SQL: the places of the feed that a user can read now. `base` is the container or user; `place` is the same, and for
 * containers where the user is admin or owner also with the suffix `:admin` or `:owner`. With `isConfined`, personal and global places are
 * excluded.
 */
export const readablePlaces = (me: string, { isConfined = false } = {}): string => `
  SELECT g.endeavour_id AS base, g.endeavour_id AS place FROM endeavour_grants g WHERE g.user_id = ${me}
  UNION SELECT g.endeavour_id, g.endeavour_id || ':admin' FROM endeavour_grants g WHERE g.user_id = ${me} AND g.rank >= 3
  UNION SELECT m.organization_id, m.organization_id FROM organization_resources m WHERE m.user_id = ${me}
  UNION SELECT m.organization_id, m.organization_id || ':admin' FROM organization_resources m
    WHERE m.user_id = ${me} AND role_rank(m.role) >= 3
  UNION SELECT m.organization_id, m.organization_id || ':owner' FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role = 'owner'${isConfined ? '' : ownPlaces(me)}`;

const ownPlaces = (me: string): string => `
  UNION SELECT ${me}, ${me}
  UNION SELECT 'everyone', 'everyone'`;
