import { limitsIn, TIER_LIMITS, type TierLimits } from '../../common/tiers.js';
import type { Database } from '../../platform/database/database.js';
import {
  CREATOR_IS_ALLOWED,
  IS_BY_OTHER_ADMIN,
  LIMITING_CREATOR,
  ORGANIZATION_OF_CREATOR,
} from '../memberships/agents.js';
import type { TokenHolder } from './bounded-caller.js';
import type { CreatedTokenKind, TokenKind } from './calendar-tokens.js';
import type { Caller } from './caller.js';
import { canAct } from '../visibility/people.view.js';
import {
  FACTOR_OF_TOKEN,
  factorOf,
  mayBeWithheld,
  WITHHELD,
  type ProvedFactor,
  type WithheldRow,
} from '../second-factor/second-factor.js';

/** How a caller is selected, and made of its row. */

/** The columns of a caller, from a user `u` with the tier `t`. */
export const CALLER_COLUMNS = `u.id AS "userId", u.resource_id AS "resourceId", u.name, u.is_admin AS "isAdmin", u.tier,
  ${TIER_LIMITS.map((name) => `t.${name}`).join(', ')}`;

/** SQL: whether the user `u` is active, and for an agent also its manager `m`. */
export const MAY_ACT = canAct('u', 'm.status');
export const MANAGER = `u.is_managed AS "isManaged", CASE WHEN NOT m.is_admin THEN m.id END AS "managerId"`;
export const WITH_MANAGER = `JOIN tiers t ON t.id = u.tier LEFT JOIN users m ON m.id = u.manager_id`;

/** SQL: whether the token `a` is valid. */
export const IS_TOKEN_VALID = `a.ended_at IS NULL AND a.expires_at > now() AND ${MAY_ACT} AND ${CREATOR_IS_ALLOWED}`;

/** SQL: whether the token `a` opens the interface, or calendars. A program of others uses its token like an access token. */
export const IS_OF_KIND: Readonly<Record<CreatedTokenKind, string>> = {
  access: `(a.kind = 'access' OR (a.kind = 'oauth' AND a.resource = 'api'))`,
  calendar: `a.kind = 'calendar'`,
};

/** SQL: whether the secret `k` of the token `a` is valid. A secret that was replaced expires before its token. */
export const IS_VALID = `(k.expires_at IS NULL OR k.expires_at > now()) AND ${IS_TOKEN_VALID}`;

/** The columns of a caller with the token `a`, except its secret. */
export const TOKEN_COLUMNS = `'' AS "sessionId", a.id AS "tokenId", a.kind, a.scopes,
  coalesce(a.organization_id, a.endeavour_id, ${ORGANIZATION_OF_CREATOR}) AS "containerId",
  a.allowed_networks AS "allowedNetworks", ${IS_BY_OTHER_ADMIN} AS "isByOtherAdmin",
  ${LIMITING_CREATOR} AS "makerId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_OF_TOKEN}`;

export type CallerRow = Omit<Caller, 'limits' | keyof ProvedFactor | keyof WithheldRow> &
  TierLimits &
  ProvedFactor &
  Partial<WithheldRow>;
export type BoundedRow = CallerRow & { isManaged: boolean; managerId: string | null };

export type TokenRow = BoundedRow & {
  tokenId: string;
  secretHash?: string;
  kind: TokenKind;
  scopes: string[];
  containerId: string | null;
  allowedNetworks: string[];
  isByOtherAdmin: boolean;
  makerId: string | null;
};

export const callerFrom = (row: CallerRow): Caller => ({
  sessionId: row.sessionId,
  userId: row.userId,
  resourceId: row.resourceId,
  name: row.name,
  isAdmin: row.isAdmin,
  tier: row.tier,
  limits: limitsIn(row),
  ...factorOf(row),
});

export function tokenHolderOf(row: TokenRow): TokenHolder {
  const { tokenId, secretHash, scopes, allowedNetworks, makerId } = row;
  const managed = row.managerId !== null && { managerId: row.managerId };
  const byOther = row.isByOtherAdmin && { isByOtherAdmin: true as const };
  const caller = { ...callerFrom(row), tokenId, secretHash, scopes, ...managed, ...byOther };
  const holder = { allowedNetworks, makerId, ...(row.isManaged && { managerId: row.managerId }) };
  const isCalendar = row.kind === 'calendar' && { isCalendarToken: true as const };
  if (row.containerId === null) return { caller: { ...caller, ...isCalendar }, ...holder };
  // A calendar shows the endeavour as the owner of the token sees it, also if the owner is an administrator; the
  // confinement limits it to that endeavour.
  const restriction = isCalendar === false ? { isAdmin: false } : isCalendar;
  return { caller: { ...caller, ...restriction, containerId: row.containerId }, ...holder };
}

/** The row of a caller, with what organizations withhold from it. */
export async function lookUpCaller<R extends CallerRow>(
  database: Database,
  sql: string,
  parameters: unknown[],
): Promise<R | undefined> {
  const row = await database.queryPipelined<R>(sql, parameters);
  if (row === undefined || !mayBeWithheld(row)) return row;
  const { userId, hasSecondFactor, provedTo, mayAskSecondFactor, mayAskProvider = false } = row;
  const asked = [userId, mayAskSecondFactor && !hasSecondFactor, provedTo, mayAskProvider];
  return { ...row, ...(await database.queryPipelined<WithheldRow>(WITHHELD, asked)) };
}
