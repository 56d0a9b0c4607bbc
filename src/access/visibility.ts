import type { Kind } from '../common/kinds.js';
import { rankOf } from '../common/roles.js';

/**
 * SQL that decides what is visible, from the entity row and the id of the user (spec 02). `x` is the alias of an
 * `entities` row, `me` a placeholder or expression for the user's id.
 */

/** The endeavours in which the user has any role; for `IN (...)`. */
export const endeavoursOf = (me = '$1'): string =>
  `SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = ${me}`;

/** The organizations in which the user has any role; for `IN (...)`. */
export const organizationsOf = (me = '$1'): string =>
  `SELECT m.organization_id FROM organization_resources m WHERE m.user_id = ${me}`;

/** The organizations to which the endeavours that the user sees are linked. */
const linkedTo = (me: string): string =>
  `SELECT l.organization_id FROM organization_endeavours l WHERE l.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`;

/**
 * SQL: whether a resource is assigned or owns work in one of the endeavours. OFFSET 0 makes PostgreSQL look up each
 * resource by index; otherwise it reads all work of all the endeavours to hash it.
 */
const worksIn = (resource: string, endeavours: string): string =>
  `EXISTS (SELECT 1 FROM endeavour_workers w WHERE w.resource_id = ${resource} AND w.endeavour_id = ${endeavours} OFFSET 0)`;

/**
 * The resources that the user may see; for `ANY(ARRAY(...))`. It says the same as {@link visible} does of one, in a form
 * by which lists find them: the arrays within are worked out once, and looked up in indexes.
 */
export const resourcesOf = (me = '$1'): string => `
  SELECT u.resource_id FROM users u WHERE u.id = ${me}
  UNION ALL SELECT r.id FROM users u JOIN resources r ON r.created_by = u.resource_id
    WHERE u.id = ${me} AND r.organization_id IS NULL AND r.user_id IS NULL
  UNION ALL SELECT m.resource_id FROM organization_resources m
    WHERE m.organization_id = ANY(ARRAY(${organizationsOf(me)}))
  UNION ALL SELECT m.resource_id FROM endeavour_members m WHERE m.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))
  UNION ALL SELECT m.resource_id FROM organization_resources m
    WHERE m.user_id IS NOT NULL AND m.organization_id = ANY(ARRAY(${linkedTo(me)} AND NOT l.is_private))
  UNION ALL SELECT m.resource_id FROM organization_resources m
    WHERE m.user_id IS NOT NULL AND role_rank(m.role) >= 3
      AND m.organization_id = ANY(ARRAY(${linkedTo(me)} AND l.is_private AND l.is_home))
  UNION ALL SELECT m.resource_id FROM organization_resources m
    WHERE m.user_id IS NULL AND m.organization_id = ANY(ARRAY(${linkedTo(me)}))
      AND ${worksIn('m.resource_id', `ANY(ARRAY(${endeavoursOf(me)}))`)}`;

/**
 * The entities of a kind in containers that are visible to the user, including deleted ones; for `ANY(ARRAY(...))`.
 * Contains everything that {@link visible} accepts, except for kinds that are also visible for other reasons, in a form
 * that lists can use with an index.
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
   OR ${worksIn(`${x}.id`, `ANY(ARRAY(${endeavoursOf(me)}))`)}`;

/** A message belongs to its sender; its recipients have copies. */
const isAddressedTo = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM message_deliveries d WHERE d.message_id = ${x}.id AND d.user_id = ${me} AND d.removed_at IS NULL)`;

/** A policy that is assigned to an endeavour is visible to all of its members. */
const isInForce = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM endeavours e WHERE e.dod_policy_id = ${x}.id AND e.id IN (${endeavoursOf(me)}))`;

type Seen = (x: string, me: string) => string;

/** Kinds whose visibility does not depend on their container, with the condition that applies instead. */
const ANYWHERE: Partial<Record<Kind, Seen>> = {
  resource: resourceIsNear,
  webhook: (x, me) => `${rankOfCaller(x, me)} >= ${rankOf('admin')}`,
};

/** Kinds that can also be visible without a container, with the condition for it. */
const NEAR: Partial<Record<Kind, Seen>> = {
  message: isAddressedTo,
  dod_policy: isInForce,
  user: (x, me) => sharesContainer(`${x}.id`, me),
};

const cases = (kinds: typeof NEAR, x: string, me: string): string =>
  Object.entries(kinds)
    .map(([kind, isSeen]) => `WHEN ${x}.kind = '${kind}' THEN ${isSeen(x, me)}`)
    .join(' ');

const caseOf = (isSeen: Seen | undefined, x: string, me: string): string =>
  isSeen === undefined ? '' : `WHEN true THEN ${isSeen(x, me)}`;

/** True for an entity that is not deleted and visible to the user. */
export const visible = (x: string, me = '$1'): string =>
  seen(x, me, {
    anywhere: cases(ANYWHERE, x, me),
    inEndeavour: `${x}.endeavour_id IN (${endeavoursOf(me)})`,
    near: cases(NEAR, x, me),
  });

/**
 * The same for one entity of a known kind: checks the user's role in its container instead of all containers of the
 * user.
 */
export const visibleOne = (x: string, kind: Kind, me = '$1'): string =>
  seen(x, me, {
    anywhere: caseOf(ANYWHERE[kind], x, me),
    inEndeavour: `EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})`,
    near: caseOf(NEAR[kind], x, me),
  });

const seen = (
  x: string,
  me: string,
  { anywhere, inEndeavour, near }: { anywhere: string; inEndeavour: string; near: string },
): string =>
  `(${x}.deleted_at IS NULL AND CASE
    WHEN ${x}.is_global THEN true
    WHEN ${x}.owner_user_id = ${me} AND ${x}.endeavour_id IS NULL AND ${x}.organization_id IS NULL THEN true
    ${anywhere}
    WHEN ${x}.endeavour_id IS NOT NULL THEN ${inEndeavour}
    WHEN ${x}.organization_id IS NOT NULL THEN ${x}.organization_id IN (${organizationsOf(me)})
    ${near}
    ELSE false END)`;

/** The user's effective rank (1 to 4) in the container of the entity; 4 for personal entities, 0 without any. */
export function rankOfCaller(x: string, me = '$1'): string {
  return `coalesce(CASE
    WHEN ${x}.endeavour_id IS NOT NULL
      THEN (SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})
    WHEN ${x}.organization_id IS NOT NULL
      THEN (SELECT role_rank(m.role) FROM organization_resources m
            WHERE m.organization_id = ${x}.organization_id AND m.user_id = ${me})
    WHEN ${x}.owner_user_id = ${me} THEN 4 END, 0)::integer`;
}
