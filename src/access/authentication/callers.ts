import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '../../common/tiers.js';
import { Database } from '../../platform/database/database.js';
import type { BoundedCaller, TokenHolder } from './bounded-caller.js';
import type { CreatedTokenKind } from './calendar-tokens.js';
import {
  callerFrom,
  CALLER_COLUMNS,
  IS_OF_KIND,
  IS_TOKEN_VALID,
  IS_VALID,
  lookUpCaller,
  MANAGER,
  MAY_ACT,
  TOKEN_COLUMNS,
  tokenHolderOf,
  WITH_MANAGER,
  type BoundedRow,
  type CallerRow,
  type TokenRow,
} from './caller-rows.js';
import type { Caller } from './caller.js';
import {
  FACTOR_AS_PROVED,
  FACTOR_OF_ANY_SESSION,
  FACTOR_OF_SESSION,
  withHeldRights,
  type ProvedFactor,
} from '../second-factor/second-factor.js';

const MAX_CACHED = 10_000;

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
    const row = await lookUpCaller<CallerRow>(
      this.database,
      `SELECT s.id AS "sessionId", ${CALLER_COLUMNS}, ${FACTOR_OF_SESSION}
       FROM sessions s JOIN users u ON u.id = s.user_id JOIN tiers t ON t.id = u.tier
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'`,
      [sessionId],
    );
    const caller = row && callerFrom(row);
    if (caller === undefined) this.cache.delete(sessionId);
    else this.addToCache(caller);
    return caller;
  }

  /**
   * Returns undefined if no valid token for that use and of an active user has that hash. A restricted token has no
   * administrator rights, even if an administrator created it; an agent's token is valid while its manager is active.
   */
  async byToken(hash: string, kind: CreatedTokenKind): Promise<TokenHolder | undefined> {
    const row = await lookUpCaller<TokenRow>(
      this.database,
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
    const row = await lookUpCaller<TokenRow>(
      this.database,
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
    const row = await lookUpCaller<BoundedRow>(
      this.database,
      `SELECT '' AS "sessionId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_OF_ANY_SESSION}
       FROM users u ${WITH_MANAGER} LEFT JOIN sessions s ON s.id = $2 AND s.user_id = u.id WHERE u.id = $1 AND ${MAY_ACT}`,
      [userId, sessionId],
    );
    if (row === undefined) return undefined;
    const caller = { ...callerFrom(row), ...(containerId !== null && { containerId, isAdmin: false }) };
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
    const row = await lookUpCaller<BoundedRow>(
      this.database,
      `SELECT '' AS "sessionId", ${MANAGER}, ${CALLER_COLUMNS}, ${FACTOR_AS_PROVED}
       FROM users u ${WITH_MANAGER} WHERE u.id = $1 AND ${MAY_ACT}`,
      [userId, hasSecondFactor, provedTo],
    );
    return row && readingAs({ caller: callerFrom(row), ...(row.isManaged && { managerId: row.managerId }) });
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
