import { Injectable } from '@nestjs/common';
import { limitsIn, TIER_LIMITS, type TierLimits } from '../common/tiers.js';
import { ALL, type Confinement } from '../platform/database/confinement.js';
import { Database } from '../platform/database/database.js';
import { CREATOR_IS_ALLOWED, IS_BY_OTHER_ADMIN, LIMITING_CREATOR, ORGANIZATION_OF_CREATOR } from './agents.js';
import type { CreatedTokenKind, TokenKind } from './calendar-tokens.js';
import type { Caller, TokenCaller } from './caller.js';
import { canAct } from './people.view.js';
import {
  FACTOR_AS_PROVED,
  FACTOR_OF_ANY_SESSION,
  FACTOR_OF_SESSION,
  FACTOR_OF_TOKEN,
  factorOf,
  mayBeWithheld,
  WITHHELD,
  withHeldRights,
  type ProvedFactor,
  type WithheldRow,
} from './second-factor.js';

const MAX_CACHED = 10_000;

/** The columns of a caller, from a user `u` with the tier `t`. */
const CALLER_COLUMNS = `u.id AS "userId", u.resource_id AS "resourceId", u.name, u.is_admin AS "isAdmin", u.tier,
  ${TIER_LIMITS.map((name) => `t.${name}`).join(', ')}`;

/** A caller, and for an agent the manager whose rights limit it; null if the manager is an administrator. */
interface BoundedCaller {
  caller: Caller;
  managerId?: string | null;
  /** The creator of an agent's token, if the rights of that person limit it too. */
  makerId?: string | null;
}

/** The caller with an access token, and the networks from which the token is accepted; all networks if empty. */
interface TokenHolder extends BoundedCaller {
  caller: TokenCaller;
  allowedNetworks: readonly string[];
}

/**
 * Returns the restrictions that a token, an agent's manager or a second factor that was not proved puts on the rights of the
 * user, if any.
 */
export function boundsOf({
  caller: { userId, containerId, isHeldBack, provedTo = ALL, unreachedId },
  managerId,
  makerId,
}: BoundedCaller): Confinement | undefined {
  const isWhole = isHeldBack !== true && unreachedId === undefined;
  if (containerId === undefined && !managerId && !makerId && isWhole) return undefined;
  const withheld = { ...(isHeldBack === true && { withheldBut: provedTo }), ...(unreachedId && { unreachedId }) };
  return { userId, containerId, managerId, makerId, ...withheld };
}

/** SQL: whether the user `u` is active, and for an agent also its manager `m`. */
const MAY_ACT = canAct('u', 'm.status');
const MANAGER = `u.is_managed AS "isManaged", CASE WHEN NOT m.is_admin THEN m.id END AS "managerId"`;
const WITH_MANAGER = `JOIN tiers t ON t.id = u.tier LEFT JOIN users m ON m.id = u.manager_id`;

/** SQL: whether the token `a` is valid. */
const IS_TOKEN_VALID = `a.ended_at IS NULL AND a.expires_at > now() AND ${MAY_ACT} AND ${CREATOR_IS_ALLOWED}`;

/** SQL: whether the token `a` opens the interface, or calendars. A program of others uses its token like an access token. */
const IS_OF_KIND: Readonly<Record<CreatedTokenKind, string>> = {
  access: `(a.kind = 'access' OR (a.kind = 'oauth' AND a.resource = 'api'))`,
  calendar: `a.kind = 'calendar'`,
};

/** SQL: whether the secret `k` of the token `a` is valid. A secret that was replaced expires before its token. */
const IS_VALID = `(k.expires_at IS NULL OR k.expires_at > now()) AND ${IS_TOKEN_VALID}`;

/** The columns of a caller with the token `a`, except its secret. */
const TOKEN_COLUMNS = `'' AS "sessionId", a.id AS "tokenId", a.kind, a.scopes,
  coalesce(a.organization_id, a.endeavour_id, ${ORGANIZATION_OF_CREATOR}) AS "containerId",
  a.allowed_networks AS "allowedNetworks", ${IS_BY_OTHER_ADMIN} AS "isByOtherAdmin",
  ${LIMITING_CREATOR} AS "makerId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_OF_TOKEN}`;

type CallerRow = Omit<Caller, 'limits' | keyof ProvedFactor | keyof WithheldRow> &
  TierLimits &
  ProvedFactor &
  Partial<WithheldRow>;
type BoundedRow = CallerRow & { isManaged: boolean; managerId: string | null };

type TokenRow = BoundedRow & {
  tokenId: string;
  secretHash?: string;
  kind: TokenKind;
  scopes: string[];
  containerId: string | null;
  allowedNetworks: string[];
  isByOtherAdmin: boolean;
  makerId: string | null;
};

const callerOf = (row: CallerRow): Caller => ({
  sessionId: row.sessionId,
  userId: row.userId,
  resourceId: row.resourceId,
  name: row.name,
  isAdmin: row.isAdmin,
  tier: row.tier,
  limits: limitsIn(row),
  ...factorOf(row),
});

function tokenHolderOf(row: TokenRow): TokenHolder {
  const { tokenId, secretHash, scopes, allowedNetworks, makerId } = row;
  const managed = row.managerId !== null && { managerId: row.managerId };
  const byOther = row.isByOtherAdmin && { isByOtherAdmin: true as const };
  const caller = { ...callerOf(row), tokenId, secretHash, scopes, ...managed, ...byOther };
  const holder = { allowedNetworks, makerId, ...(row.isManaged && { managerId: row.managerId }) };
  const isCalendar = row.kind === 'calendar' && { isCalendarToken: true as const };
  if (row.containerId === null) return { caller: { ...caller, ...isCalendar }, ...holder };
  // A calendar shows the endeavour as the owner of the token sees it, also if the owner is an administrator; the
  // confinement limits it to that endeavour.
  const restriction = isCalendar === false ? { isAdmin: false } : isCalendar;
  return { caller: { ...caller, ...restriction, containerId: row.containerId }, ...holder };
}

/** The caller outside of an operation that is reserved for administrators. */
const readingAs = (bounded: BoundedCaller): BoundedCaller => ({ ...bounded, caller: withHeldRights(bounded.caller) });

/**
 * Loads the caller of a request from its session or access token, with one indexed statement per request, so that
 * changed rights apply at once.
 */
@Injectable()
export class Callers {
  private readonly cache = new Map<string, Caller>();

  constructor(private readonly database: Database) {}

  /** Returns undefined if the session has ended or expired (by the database's clock) or its user is not active. */
  async bySession(sessionId: string): Promise<Caller | undefined> {
    const row = await this.lookUp<CallerRow>(
      `SELECT s.id AS "sessionId", ${CALLER_COLUMNS}, ${FACTOR_OF_SESSION}
       FROM sessions s JOIN users u ON u.id = s.user_id JOIN tiers t ON t.id = u.tier
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'`,
      [sessionId],
    );
    const caller = row && callerOf(row);
    if (caller === undefined) this.cache.delete(sessionId);
    else this.addToCache(caller);
    return caller;
  }

  /**
   * Returns undefined if no valid token for that use and of an active user has that hash. A restricted token has no
   * administrator rights, even if an administrator created it; an agent's token is valid while its manager is active.
   */
  async byToken(hash: string, kind: CreatedTokenKind): Promise<TokenHolder | undefined> {
    const row = await this.lookUp<TokenRow>(
      `SELECT k.hash AS "secretHash", ${TOKEN_COLUMNS}
       FROM access_token_secrets k JOIN access_tokens a ON a.id = k.token_id
         JOIN users u ON u.id = a.user_id ${WITH_MANAGER}
       WHERE k.hash = $1 AND ${IS_OF_KIND[kind]} AND ${IS_VALID}`,
      [hash],
    );
    return row && tokenHolderOf(row);
  }

  /**
   * Loads the caller with a token without its secret, for background work that a request with this token started;
   * undefined if the token is no longer valid.
   */
  async byTokenId(id: string): Promise<BoundedCaller | undefined> {
    const row = await this.lookUp<TokenRow>(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens a JOIN users u ON u.id = a.user_id ${WITH_MANAGER}
       WHERE a.id = $1 AND ${IS_TOKEN_VALID}`,
      [id],
    );
    return row && readingAs(tokenHolderOf(row));
  }

  /** Loads the caller again by the same session or secret, to read; undefined if that is no longer valid. */
  async reload({ sessionId, secretHash }: Caller): Promise<BoundedCaller | undefined> {
    if (secretHash !== undefined) {
      const holder = await this.byToken(secretHash, 'access');
      return holder && readingAs(holder);
    }
    const caller = await this.bySession(sessionId);
    return caller && readingAs({ caller });
  }

  /**
   * Loads a user without a session, for background work on behalf of that user; undefined if the user is not active, or
   * is an agent whose manager is not. A user who is restricted to a container has no administrator rights. Of the session
   * in which the work was started, if any, only what it has proved counts, also after its end.
   */
  async byUser(
    userId: string,
    { containerId = null, sessionId = null }: { containerId?: string | null; sessionId?: string | null } = {},
  ): Promise<BoundedCaller | undefined> {
    const row = await this.lookUp<BoundedRow>(
      `SELECT '' AS "sessionId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_OF_ANY_SESSION}
       FROM users u ${WITH_MANAGER} LEFT JOIN sessions s ON s.id = $2 AND s.user_id = u.id WHERE u.id = $1 AND ${MAY_ACT}`,
      [userId, sessionId],
    );
    if (row === undefined) return undefined;
    const caller = { ...callerOf(row), ...(containerId !== null && { containerId, isAdmin: false }) };
    return readingAs({ caller, ...(row.isManaged && { managerId: row.managerId }) });
  }

  /**
   * The same for work that outlives every session: of a second factor, what the user had proved when it was written down
   * counts, fully or towards one organization.
   */
  async byProof(
    userId: string,
    { hasSecondFactor, provedTo }: Pick<ProvedFactor, 'hasSecondFactor' | 'provedTo'>,
  ): Promise<BoundedCaller | undefined> {
    const row = await this.lookUp<BoundedRow>(
      `SELECT '' AS "sessionId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_AS_PROVED}
       FROM users u ${WITH_MANAGER} WHERE u.id = $1 AND ${MAY_ACT}`,
      [userId, hasSecondFactor, provedTo],
    );
    return row && readingAs({ caller: callerOf(row), ...(row.isManaged && { managerId: row.managerId }) });
  }

  /** Returns the valid ones among ids of sessions and hashes of token secrets. */
  async stillSignedIn(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = ANY($1::text[]) AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'
       UNION ALL SELECT k.hash FROM access_token_secrets k JOIN access_tokens a ON a.id = k.token_id
         JOIN users u ON u.id = a.user_id LEFT JOIN users m ON m.id = u.manager_id
       WHERE k.hash = ANY($1::text[]) AND ${IS_VALID}`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the caller at the last lookup: for an optimistic read that is confirmed later, never for a decision. */
  lastSeen(sessionId: string): Caller | undefined {
    return this.cache.get(sessionId);
  }

  /** The row of a caller, with what organizations withhold from it. */
  private async lookUp<R extends CallerRow>(sql: string, parameters: unknown[]): Promise<R | undefined> {
    const row = await this.database.queryPipelined<R>(sql, parameters);
    if (row === undefined || !mayBeWithheld(row)) return row;
    const { userId, hasSecondFactor, provedTo, mayAskSecondFactor, mayAskProvider = false } = row;
    const asked = [userId, mayAskSecondFactor && !hasSecondFactor, provedTo, mayAskProvider];
    return { ...row, ...(await this.database.queryPipelined<WithheldRow>(WITHHELD, asked)) };
  }

  private addToCache(caller: Caller): void {
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(caller.sessionId, caller);
  }
}

/** Whether both have the same identity and rights. */
export const isSameCaller = (a: Caller, b: Caller): boolean =>
  a.sessionId === b.sessionId &&
  a.userId === b.userId &&
  a.resourceId === b.resourceId &&
  a.name === b.name &&
  a.isAdmin === b.isAdmin &&
  a.tier === b.tier &&
  a.hasSecondFactor === b.hasSecondFactor &&
  a.isHeldBack === b.isHeldBack &&
  a.provedTo === b.provedTo &&
  TIER_LIMITS.every((name) => a.limits[name] === b.limits[name]);
