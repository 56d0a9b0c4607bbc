import type { Kind } from '../common/kinds.js';

/**
 * SQL that decides what may be seen, from the entity row of a thing and the id of the asking user (spec 02).
 * `x` is the alias of an `entities` row, `me` a placeholder or expression for the user's id.
 */

/** The endeavours in which the user has any role; for `IN (...)`. */
export const endeavoursOf = (me = '$1'): string =>
  `SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = ${me}`;

/** The organizations in which the user has any role; for `IN (...)`. */
export const organizationsOf = (me = '$1'): string =>
  `SELECT m.organization_id FROM organization_resources m WHERE m.user_id = ${me}`;

/**
 * The resources that the user may see; for `ANY(ARRAY(...))`. It says the same as {@link visible} does of one, in a form
 * by which lists find them: the arrays within are worked out once, and looked up in indexes.
 */
export const resourcesOf = (me = '$1'): string => `
  SELECT u.resource_id FROM users u WHERE u.id = ${me}
  UNION ALL SELECT r.id FROM users u JOIN resources r ON r.created_by = u.resource_id WHERE u.id = ${me}
  UNION ALL SELECT m.resource_id FROM organization_resources m
    WHERE m.organization_id = ANY(ARRAY(${organizationsOf(me)}))
  UNION ALL SELECT m.resource_id FROM endeavour_members m WHERE m.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))
  UNION ALL SELECT m.resource_id FROM organization_resources m WHERE m.organization_id = ANY(ARRAY(
    SELECT l.organization_id FROM organization_endeavours l WHERE l.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))))`;

/**
 * The things of a kind that lie where the user may see them, deleted ones too; for `ANY(ARRAY(...))`. Among them is all
 * that {@link visible} says is seen, but for kinds that are also seen from elsewhere, in a form by which lists find it.
 */
export const placedOf = (kind: Kind, me = '$1'): string =>
  [
    `x.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`,
    `x.organization_id = ANY(ARRAY(${organizationsOf(me)}))`,
    `x.owner_user_id = ${me}`,
    'x.is_global',
  ]
    .map((place) => `SELECT x.id FROM entities x WHERE x.kind = '${kind}' AND ${place}`)
    .join(' UNION ALL ');

const sharesContainer = (user: string, me: string): string =>
  `EXISTS (SELECT 1 FROM organization_resources a WHERE a.user_id = ${user} AND a.organization_id IN (${organizationsOf(me)}))
   OR EXISTS (SELECT 1 FROM endeavour_grants a WHERE a.user_id = ${user} AND a.endeavour_id IN (${endeavoursOf(me)}))`;

const resourceIsNear = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM organization_resources a WHERE a.resource_id = ${x}.id AND a.organization_id IN (${organizationsOf(me)}))
   OR EXISTS (SELECT 1 FROM endeavour_grants a JOIN endeavour_grants b ON b.endeavour_id = a.endeavour_id AND b.user_id = ${me}
              WHERE a.user_id = (SELECT r.user_id FROM resources r WHERE r.id = ${x}.id))
   OR EXISTS (SELECT 1 FROM endeavour_grants b
              JOIN organization_endeavours l ON l.endeavour_id = b.endeavour_id
              JOIN organization_resources a ON a.organization_id = l.organization_id AND a.resource_id = ${x}.id
              WHERE b.user_id = ${me})`;

/** A message is its sender's own; the others who see it got a copy. */
const isAddressedTo = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM message_deliveries d WHERE d.message_id = ${x}.id AND d.user_id = ${me})`;

/** Kinds that may also be seen from elsewhere than where they lie, and from where. */
const NEAR: Partial<Record<Kind, (x: string, me: string) => string>> = {
  message: isAddressedTo,
  user: (x, me) => sharesContainer(`${x}.id`, me),
  resource: resourceIsNear,
};

/** True for a living thing that the user may see. */
export const visible = (x: string, me = '$1'): string =>
  seen(
    x,
    me,
    `${x}.endeavour_id IN (${endeavoursOf(me)})`,
    (Object.keys(NEAR) as Kind[]).map((kind) => `WHEN ${x}.kind = '${kind}' THEN ${NEAR[kind]?.(x, me)}`).join(' '),
  );

/** The same of one thing of a known kind: it is looked up whether the user is there, not everywhere the user is. */
export const visibleOne = (x: string, kind: Kind, me = '$1'): string =>
  seen(
    x,
    me,
    `EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})`,
    NEAR[kind] === undefined ? '' : `WHEN true THEN ${NEAR[kind](x, me)}`,
  );

const seen = (x: string, me: string, inEndeavour: string, near: string): string =>
  `(${x}.deleted_at IS NULL AND CASE
    WHEN ${x}.is_global THEN true
    WHEN ${x}.owner_user_id = ${me} AND ${x}.endeavour_id IS NULL AND ${x}.organization_id IS NULL THEN true
    WHEN ${x}.endeavour_id IS NOT NULL THEN ${inEndeavour}
    WHEN ${x}.organization_id IS NOT NULL THEN ${x}.organization_id IN (${organizationsOf(me)})
    ${near}
    ELSE false END)`;

/** The user's effective rank (1 to 4) where the thing lies; 4 for what is one's own, 0 without any. */
export function rank(x: string, me = '$1'): string {
  return `coalesce(CASE
    WHEN ${x}.endeavour_id IS NOT NULL
      THEN (SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})
    WHEN ${x}.organization_id IS NOT NULL
      THEN (SELECT role_rank(m.role) FROM organization_resources m
            WHERE m.organization_id = ${x}.organization_id AND m.user_id = ${me})
    WHEN ${x}.owner_user_id = ${me} THEN 4 END, 0)::integer`;
}
