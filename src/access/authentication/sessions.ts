import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { SESSION_METHODS, type SessionMethod } from '../../common/proofs.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Tokens } from './tokens.js';

const MAX_ACTIVE = 20;

/** The token of a new session, and its expiry. */
export interface SignedIn {
  token: string;
  expires_at: string;
}

/** What else is known of a sign-in; `provedTo` is the organization towards which alone its provider proves a second factor. */
export interface SignInFacts {
  hasSecondFactor?: boolean;
  provedTo?: string | null;
  provider?: ProviderSession;
}

/** The session at the identity provider in which a session of this service began. */
export interface ProviderSession {
  providerId: string;
  /** What the provider calls the person. */
  subject: string;
  /** What it calls the session; null if it does not say. */
  sid: string | null;
  /** Where a browser ends it; null if the provider has no such page. */
  endSessionUrl: string | null;
}

type SignInCondition = (userId: string, method: SessionMethod, facts: SignInFacts) => Promise<void>;

/** Opens and ends sessions. Every replica rejects the next request of a session that has ended. */
@Injectable()
export class Sessions implements OnModuleInit {
  private readonly log = new Logger('Sessions');

  private readonly conditions: SignInCondition[] = [];

  private readonly count: (method: SessionMethod) => void;

  constructor(
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly settings: Settings,
    private readonly context: RequestContext,
    private readonly housekeeping: Housekeeping,
    metrics: Metrics,
  ) {
    this.count = metrics.counter('sign_ins', 'Sign-ins that opened a session, by method.', 'method', SESSION_METHODS);
  }

  onModuleInit(): void {
    this.housekeeping.discard('sessions', "least(ended_at, expires_at) < now() - interval '30 days'");
    this.housekeeping.discard('known_addresses', "last_sign_in_at < now() - interval '180 days'");
  }

  /** Registers a condition of every sign-in, in its transaction; it throws if the user may not sign in so. */
  require(condition: SignInCondition): void {
    this.conditions.push(condition);
  }

  /**
   * Opens a session, and ends the oldest ones if the user would have more than 20. The user's row is locked, so that
   * concurrent sign-ins count each other. Expiry is set and checked by the database's clock. The client's network is
   * stored as a known network of the user.
   */
  open(userId: string, method: SessionMethod = 'password', facts: SignInFacts = {}): Promise<SignedIn> {
    return this.database.transaction(() => this.openLocked(userId, method, facts));
  }

  /** Records that the person of an active session has just proved to be there; returns when, undefined if it has ended. */
  async prove(sessionId: string): Promise<Date | undefined> {
    const [session] = await this.database.query<{ provedAt: Date }>(
      `UPDATE sessions SET proved_at = clock_timestamp() WHERE id = $1 AND ended_at IS NULL RETURNING proved_at AS "provedAt"`,
      [sessionId],
    );
    return session?.provedAt;
  }

  /** Whether the session has not been ended. */
  async isOpen(sessionId: string): Promise<boolean> {
    const rows = await this.database.query('SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL', [sessionId]);
    return rows.length > 0;
  }

  /** Ends a session; returns where a browser ends the one at the provider, if there is such a page. */
  async end(userId: string, sessionId: string): Promise<string | undefined> {
    const [ended] = await this.database.query<{ url: string | null }>(
      'UPDATE sessions SET ended_at = now() WHERE id = $1 AND ended_at IS NULL RETURNING end_session_url AS url',
      [sessionId],
    );
    await this.recordEnd(userId, 1, sessionId);
    return ended?.url ?? undefined;
  }

  /**
   * Ends the sessions that began in a session at a provider, or by a person of whom the provider tells no session; without
   * `sid` all of the person.
   */
  async endAtProvider(providerId: string, { subject, sid }: { subject?: string; sid?: string }): Promise<void> {
    const ended = await this.database.query<{ userId: string; count: number }>(
      `WITH gone AS (UPDATE sessions SET ended_at = now()
         WHERE provider_id = $1 AND ended_at IS NULL AND expires_at > now()
           AND ($2::text IS NULL OR provider_subject = $2)
           AND ($3::text IS NULL OR provider_sid = $3 OR (provider_sid IS NULL AND $2 IS NOT NULL))
         RETURNING user_id)
       SELECT user_id AS "userId", count(*)::integer AS count FROM gone GROUP BY user_id ORDER BY user_id`,
      [providerId, subject ?? null, sid ?? null],
    );
    for (const { userId, count } of ended) await this.recordEnd(userId, count);
  }

  /** Ends an active session of the user; false if the user has no active session with that id. */
  async endOwn(userId: string, sessionId: string): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE sessions SET ended_at = now()
       WHERE id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > now() RETURNING 1`,
      [sessionId, userId],
    );
    if (rows.length > 0) await this.recordEnd(userId, 1, sessionId);
    return rows.length > 0;
  }

  /** Ends all sessions of a user except one; returns the number of sessions that had not expired. */
  async endAll(userId: string, exceptSessionId: string | null = null): Promise<number> {
    const rows = await this.database.query<{ isLive: boolean }>(
      `UPDATE sessions SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2
       RETURNING expires_at > now() AS "isLive"`,
      [userId, exceptSessionId],
    );
    const ended = rows.filter(({ isLive }) => isLive).length;
    if (ended > 0) await this.recordEnd(userId, ended);
    return ended;
  }

  private recordEnd(userId: string, count: number, sessionId?: string): Promise<void> {
    return this.audit.record({
      action: 'session.ended',
      userId,
      entityType: 'user',
      entityId: userId,
      sessionId,
      count,
    });
  }

  private async openLocked(userId: string, method: SessionMethod, facts: SignInFacts): Promise<SignedIn> {
    const id = newId('session');
    await this.database.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    for (const condition of this.conditions) await condition(userId, method, facts);
    const row = await this.database.one<{ expires_at: Date }>(
      `WITH known AS (
         INSERT INTO known_addresses (user_id, network) SELECT $2, $6 WHERE $6 <> ''
         ON CONFLICT (user_id, network) DO UPDATE SET last_sign_in_at = now())
       INSERT INTO sessions (id, user_id, created_at, expires_at, client_address, user_agent, method, has_second_factor,
         proved_to, provider_id, provider_subject, provider_sid, end_session_url)
       VALUES ($1, $2, clock_timestamp(), now() + make_interval(hours => $3), $4, $5, $7, $8, $9, $10, $11, $12, $13)
       RETURNING expires_at`,
      [
        id,
        userId,
        this.settings.SESSION_HOURS,
        this.context.clientAddress ?? null,
        this.context.userAgent?.slice(0, 300),
        this.context.clientNetwork,
        method,
        facts.hasSecondFactor ?? false,
        facts.provedTo ?? null,
        facts.provider?.providerId ?? null,
        facts.provider?.subject ?? null,
        facts.provider?.sid ?? null,
        facts.provider?.endSessionUrl ?? null,
      ],
    );
    await this.database.query(
      `UPDATE sessions SET ended_at = now() WHERE id IN (
         SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now()
         ORDER BY created_at DESC, id DESC OFFSET $2)`,
      [userId, MAX_ACTIVE],
    );
    if (row === undefined) throw new Error('an inserted session has an expiry');
    await this.audit.record({
      action: 'session.created',
      userId,
      entityType: 'user',
      entityId: userId,
      sessionId: id,
      isOwnAct: true,
    });
    const { requestId: request_id, clientAddress: address } = this.context;
    const line = { msg: 'signed in', user_id: userId, session_id: id, request_id, address };
    this.database.afterCommit(() => {
      this.count(method);
      this.log.log(line);
    });
    return { token: this.tokens.sign(userId, id, row.expires_at), expires_at: row.expires_at.toISOString() };
  }
}
