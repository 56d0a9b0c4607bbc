import type { Kind } from '../../common/kinds.js';
import { rankOf } from '../../common/roles.js';
import { actsAsAdministrator } from './people.view.js';

/**
 * SQL for the visibility of entities (spec 02). `x` is the alias of an `entities` row, `me` a placeholder or expression
 * for the user's id.
 */

/** SQL for `IN (...)`: the endeavours in which the user has any role. */
export const endeavoursOf = (me = '$1'): string =>
  `SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = ${me}`;

/**
 * SQL: the ids of all endeavours that the caller sees, for an index whose first column they are. A condition with the rights of
 * an administrator as its alternative would read the whole table also for members.
 */
export const seenEndeavours = (me: string): string =>
  `${endeavoursOf(me)} UNION ALL SELECT every.id FROM endeavours every WHERE ${actsAsAdministrator(me)}`;

/** SQL for `IN (...)`: the organizations in which the user has any role. */
export const organizationsOf = (me = '$1'): string =>
  `SELECT m.organization_id FROM organization_resources m WHERE m.user_id = ${me}`;

/** SQL: the organizations to which the endeavours of the user are linked; more conditions on `l` can follow. */
const linkedTo = (me: string): string =>
  `SELECT l.organization_id FROM organization_endeavours l WHERE l.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`;

/**
 * SQL: whether a resource is assigned or owns work in one of the endeavours. OFFSET 0 makes PostgreSQL look up each
 * resource by index; otherwise it reads all work of all the endeavours to hash it.
 */
const worksIn = (resource: string, endeavours: string): string =>
  `EXISTS (SELECT 1 FROM endeavour_workers w WHERE w.resource_id = ${resource} AND w.endeavour_id = ${endeavours} OFFSET 0)`;

/**
 * SQL for `ANY(ARRAY(...))`: the resources that are visible to the user. Equivalent to {@link visible}, in a form that
 * lists can use with an index: the inner arrays are evaluated once.
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
 * SQL for `ANY(ARRAY(...))`: the entities of a kind in the user's containers, the user's own and global ones, including
 * deleted ones. Contains every entity that {@link visible} accepts, except for kinds with further conditions (`NEAR`,
 * `ANYWHERE`), in a form that lists can use with an index.
 */
export const placedOf = (kind: Kind, me = '$1'): string =>
  [
    `x.endeavour_id = ANY(ARRAY(${endeavoursOf(me)}))`,
    `x.organization_id = ANY(ARRAY(${organizationsOf(me)}))`,
    `x.owner_user_id = ${me}`,
    'x.is_global',
  ]
    .map((condition) => `SELECT x.id FROM entities x WHERE x.kind = '${kind}' AND ${condition}`)
    .join(' UNION ALL ');

const sharesContainer = (user: string, me: string): string =>
  `EXISTS (SELECT 1 FROM organization_resources a WHERE a.user_id = ${user} AND a.organization_id IN (${organizationsOf(me)}))
   OR EXISTS (SELECT 1 FROM endeavour_grants a WHERE a.user_id = ${user} AND a.endeavour_id IN (${endeavoursOf(me)}))`;

const resourceIsNear = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM organization_resources a WHERE a.resource_id = ${x}.id AND a.organization_id IN (${organizationsOf(me)}))
   OR EXISTS (SELECT 1 FROM endeavour_grants a JOIN endeavour_grants b ON b.endeavour_id = a.endeavour_id AND b.user_id = ${me}
              WHERE a.user_id = (SELECT r.user_id FROM resources r WHERE r.id = ${x}.id))
   OR ${worksIn(`${x}.id`, `ANY(ARRAY(${endeavoursOf(me)}))`)}`;

/** Whether the message has been delivered to the user, who has not removed it. The sender owns the message itself. */
const isAddressedTo = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM message_deliveries d WHERE d.message_id = ${x}.id AND d.user_id = ${me} AND d.removed_at IS NULL)`;

/** Whether the policy is in force in one of the user's endeavours. */
const isInForce = (x: string, me: string): string =>
  `EXISTS (SELECT 1 FROM endeavours e WHERE e.dod_policy_id = ${x}.id AND e.id IN (${endeavoursOf(me)}))`;

type Condition = (x: string, me: string) => string;

/** Kinds with a condition that replaces the role in their container. */
const ANYWHERE: Partial<Record<Kind, Condition>> = {
  resource: resourceIsNear,
  webhook: (x, me) => `${rankOfCaller(x, me)} >= ${rankOf('admin')}`,
  identity_provider: (x, me) => `${rankOfCaller(x, me)} >= ${rankOf('owner')}`,
  scim_token: (x, me) => `${rankOfCaller(x, me)} >= ${rankOf('owner')}`,
};

/** Kinds with a condition under which an entity without a container is visible. */
const NEAR: Partial<Record<Kind, Condition>> = {
  message: isAddressedTo,
  dod_policy: isInForce,
  user: (x, me) => sharesContainer(`${x}.id`, me),
};

const cases = (conditions: typeof NEAR, { x, me, kinds }: { x: string; me: string; kinds?: readonly Kind[] }): string =>
  Object.entries(conditions)
    .filter(([kind]) => kinds?.includes(kind as Kind) ?? true)
    .map(([kind, isSeen]) => `WHEN ${x}.kind = '${kind}' THEN ${isSeen(x, me)}`)
    .join(' ');

const caseOf = (isSeen: Condition | undefined, x: string, me: string): string =>
  isSeen === undefined ? '' : `WHEN true THEN ${isSeen(x, me)}`;

/**
 * SQL: whether an entity is visible to the user and not deleted. Where all rows are of known kinds, the conditions of
 * other kinds are left out, because the database plans each of them.
 */
export const visible = (x: string, me = '$1', kinds?: readonly Kind[]): string =>
  visibleCondition(x, me, {
    anywhere: cases(ANYWHERE, { x, me, kinds }),
    inEndeavour: `${x}.endeavour_id IN (${endeavoursOf(me)})`,
    near: cases(NEAR, { x, me, kinds }),
  });

/**
 * Like {@link visible}, for a single entity of a known kind: looks up the user's role in its container instead of all
 * containers of the user.
 */
export const visibleOne = (x: string, kind: Kind, me = '$1'): string =>
  visibleCondition(x, me, {
    anywhere: caseOf(ANYWHERE[kind], x, me),
    inEndeavour: `EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})`,
    near: caseOf(NEAR[kind], x, me),
  });

const visibleCondition = (
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

/** SQL: the user's rank (1 to 4) in the container of the entity; 4 for the user's own entities, 0 without a role. */
export function rankOfCaller(x: string, me = '$1'): string {
  return `coalesce(CASE
    WHEN ${x}.endeavour_id IS NOT NULL
      THEN (SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = ${x}.endeavour_id AND g.user_id = ${me})
    WHEN ${x}.organization_id IS NOT NULL
      THEN (SELECT role_rank(m.role) FROM organization_resources m
            WHERE m.organization_id = ${x}.organization_id AND m.user_id = ${me})
    WHEN ${x}.owner_user_id = ${me} THEN 4 END, 0)::integer`;
}

/** SQL for a view: the id of an entity; null if that entity is not visible to the caller. */
export const visibleId = (id: string): string =>
  `(SELECT seen.id FROM entities seen WHERE seen.id = ${id} AND (${actsAsAdministrator(':me')} OR ${visible('seen', ':me')}))`;

/**
 * SQL for a view: the lineage of the versioned entity in that row of the table; if the first version is not visible to
 * the caller, the id of the oldest one that is.
 */
export const visibleLineageId = (table: string, row: string): string =>
  `CASE WHEN ${visibleId(`${row}.lineage_id`)} IS NOT NULL THEN ${row}.lineage_id ELSE coalesce((
    SELECT min(later.id) FROM ${table} later
    WHERE later.lineage_id = ${row}.lineage_id AND ${visibleId('later.id')} IS NOT NULL), ${row}.id) END`;
