import { Injectable } from '@nestjs/common';
import { limitsIn, TIER_LIMITS, type TierLimits } from '../common/tiers.js';
import type { Confinement } from '../platform/database/confinement.js';
import { Database } from '../platform/database/database.js';
import { MAKER_MAY, OF_MAKER } from './agents.js';
import type { TokenKind } from './calendar-tokens.js';
import type { Caller, TokenCaller } from './caller.js';

const MOST_REMEMBERED = 10_000;

/** The columns of a caller, from a user `u` with the tier `t`. */
const FACTS = `u.id AS "userId", u.resource_id AS "resourceId", u.name, u.is_admin AS "isAdmin", u.tier,
  ${TIER_LIMITS.map((name) => `t.${name}`).join(', ')}`;

/** A caller, and for an agent the manager whose rights limit it; null if the manager is an administrator. */
export interface Bounded {
  caller: Caller;
  managerId?: string | null;
}

/** The caller of an access token and the allowed networks; all networks if none is given. */
export interface TokenHolder extends Bounded {
  caller: TokenCaller;
  allowedNetworks: readonly string[];
}

/** The restrictions that a token or an agent's manager adds to the rights of the user, if any. */
export function boundsOf({ caller: { userId, containerId }, managerId }: Bounded): Confinement | undefined {
  return containerId !== undefined || managerId ? { userId, containerId, managerId } : undefined;
}

/** An agent acts while its manager is active; `u` is the user, `m` the manager. */
const MAY_ACT = `u.status = 'active' AND (NOT u.is_managed OR m.status = 'active')`;
const MANAGER = `u.is_managed AS "isManaged", CASE WHEN NOT m.is_admin THEN m.id END AS "managerId"`;
const WITH_MANAGER = `JOIN tiers t ON t.id = u.tier LEFT JOIN users m ON m.id = u.manager_id`;

/** Of a secret `k` of a token `a`: a replaced one has a time of its own. */
const IS_LIVE = `(k.expires_at IS NULL OR k.expires_at > now()) AND a.ended_at IS NULL AND a.expires_at > now()
  AND ${MAY_ACT} AND ${MAKER_MAY}`;

type CallerRow = Omit<Caller, 'limits'> & TierLimits;
type BoundedRow = CallerRow & { isManaged: boolean; managerId: string | null };

type TokenRow = BoundedRow & {
  tokenId: string;
  secretHash: string;
  kind: TokenKind;
  scopes: string[];
  containerId: string | null;
  allowedNetworks: string[];
};

const callerOf = (row: CallerRow): Caller => ({
  sessionId: row.sessionId,
  userId: row.userId,
  resourceId: row.resourceId,
  name: row.name,
  isAdmin: row.isAdmin,
  tier: row.tier,
  limits: limitsIn(row),
});

function holderOf(row: TokenRow): TokenHolder {
  const { tokenId, secretHash, scopes, allowedNetworks } = row;
  const managed = row.managerId !== null && { managerId: row.managerId };
  const caller = { ...callerOf(row), tokenId, secretHash, scopes, ...managed };
  const holder = { allowedNetworks, ...(row.isManaged && { managerId: row.managerId }) };
  if (row.containerId === null) return { caller, ...holder };
  // A calendar shows the endeavour as its owner sees it, even an administrator; the confinement limits it to that
  // endeavour.
  const standing = row.kind === 'calendar' ? { isCalendarToken: true as const } : { isAdmin: false };
  return { caller: { ...caller, ...standing, containerId: row.containerId }, ...holder };
}

/** Finds the caller behind a session: one indexed statement per request, so that nothing about rights is ever stale. */
@Injectable()
export class Callers {
  private readonly known = new Map<string, Caller>();

  constructor(private readonly database: Database) {}

  /** Undefined if the session has ended or expired (by the database's clock) or its user is not active. */
  async bySession(sessionId: string): Promise<Caller | undefined> {
    const row = await this.database.queryPipelined<CallerRow>(
      `SELECT s.id AS "sessionId", ${FACTS}
       FROM sessions s JOIN users u ON u.id = s.user_id JOIN tiers t ON t.id = u.tier
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'`,
      [sessionId],
    );
    const caller = row && callerOf(row);
    if (caller === undefined) this.known.delete(sessionId);
    else this.remember(caller);
    return caller;
  }

  /**
   * Undefined if no valid token of that kind and of an active user has that hash. A restricted token has no
   * administrator rights, even if an administrator created it; an agent's token is valid while its manager is active.
   */
  async byToken(hash: string, kind: TokenKind): Promise<TokenHolder | undefined> {
    const row = await this.database.queryPipelined<TokenRow>(
      `SELECT '' AS "sessionId", a.id AS "tokenId", a.kind, a.scopes, coalesce(a.organization_id, a.endeavour_id, ${OF_MAKER}) AS "containerId",
         k.hash AS "secretHash", a.allowed_networks AS "allowedNetworks", ${MANAGER}, ${FACTS}
       FROM access_token_secrets k JOIN access_tokens a ON a.id = k.token_id
         JOIN users u ON u.id = a.user_id ${WITH_MANAGER}
       WHERE k.hash = $1 AND a.kind = '${kind}' AND ${IS_LIVE}`,
      [hash],
    );
    return row && holderOf(row);
  }

  /** Loads the caller again by the same session or secret; undefined if it has ended. */
  async present({ sessionId, secretHash }: Caller): Promise<Bounded | undefined> {
    if (secretHash !== undefined) return this.byToken(secretHash, 'access');
    const caller = await this.bySession(sessionId);
    return caller && { caller };
  }

  /**
   * The same without a session, for work on behalf of a user; undefined if they may not act. Restricted to a container, they
   * have no administrator rights.
   */
  async byUser(userId: string, containerId: string | null = null): Promise<Bounded | undefined> {
    const row = await this.database.one<BoundedRow>(
      `SELECT '' AS "sessionId", ${MANAGER}, ${FACTS} FROM users u ${WITH_MANAGER} WHERE u.id = $1 AND ${MAY_ACT}`,
      [userId],
    );
    if (row === undefined) return undefined;
    const caller = { ...callerOf(row), ...(containerId !== null && { containerId, isAdmin: false }) };
    return { caller, ...(row.isManaged && { managerId: row.managerId }) };
  }

  /** Those of the sessions and secrets of tokens that are still valid. */
  async stillSignedIn(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = ANY($1::text[]) AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'
       UNION ALL SELECT k.hash FROM access_token_secrets k JOIN access_tokens a ON a.id = k.token_id
         JOIN users u ON u.id = a.user_id LEFT JOIN users m ON m.id = u.manager_id
       WHERE k.hash = ANY($1::text[]) AND ${IS_LIVE}`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The caller at the last lookup: usable for an optimistic read that is confirmed later, never for a decision. */
  lastSeen(sessionId: string): Caller | undefined {
    return this.known.get(sessionId);
  }

  private remember(caller: Caller): void {
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(caller.sessionId, caller);
  }
}

/** Whether both have the same identity and rights. */
export const isSameCaller = (one: Caller, other: Caller): boolean =>
  one.sessionId === other.sessionId &&
  one.userId === other.userId &&
  one.resourceId === other.resourceId &&
  one.name === other.name &&
  one.isAdmin === other.isAdmin &&
  one.tier === other.tier &&
  TIER_LIMITS.every((name) => one.limits[name] === other.limits[name]);
