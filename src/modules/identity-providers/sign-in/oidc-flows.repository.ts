import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Housekeeping } from '../../../platform/jobs/housekeeping.js';

const MINUTES = 10;

/** A sign-in that was begun. */
export interface StartedFlow {
  providerId: string;
  redirectUri: string;
  /** The session that proves with it; null for a sign-in. */
  sessionId: string | null;
}

/** Stores sign-ins at providers that were begun, and takes each back once. */
@Injectable()
export class OidcFlowsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('oidc_flows', 'expires_at < now()');
  }

  async insert(hash: string, { providerId, redirectUri, sessionId }: StartedFlow): Promise<Date> {
    const [{ expiresAt }] = await this.database.query<{ expiresAt: Date }>(
      `INSERT INTO oidc_flows (hash, provider_id, redirect_uri, session_id, expires_at)
       VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(mins => $5)) RETURNING expires_at AS "expiresAt"`,
      [hash, providerId, redirectUri, sessionId, MINUTES],
    );
    return expiresAt;
  }

  /**
   * Uses up a sign-in, whether or not it turns out to be right; undefined if it has expired or was used already, or belongs
   * to another session.
   */
  async take(hash: string, sessionId: string | null): Promise<(StartedFlow & { startedAt: Date }) | undefined> {
    const [taken] = await this.database.inNewTransaction(() =>
      this.database.query<StartedFlow & { startedAt: Date }>(
        `DELETE FROM oidc_flows
         WHERE hash = $1 AND expires_at > clock_timestamp() AND session_id IS NOT DISTINCT FROM $2
         RETURNING provider_id AS "providerId", redirect_uri AS "redirectUri", session_id AS "sessionId",
           started_at AS "startedAt"`,
        [hash, sessionId],
      ),
    );
    return taken;
  }
}
