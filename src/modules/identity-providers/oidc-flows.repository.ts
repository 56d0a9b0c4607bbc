import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';

const MINUTES = 10;

/** A sign-in that was begun. */
export interface StartedFlow {
  providerId: string;
  redirectUri: string;
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

  async insert(hash: string, { providerId, redirectUri }: StartedFlow): Promise<Date> {
    const [{ expiresAt }] = await this.database.query<{ expiresAt: Date }>(
      `INSERT INTO oidc_flows (hash, provider_id, redirect_uri, expires_at)
       VALUES ($1, $2, $3, clock_timestamp() + make_interval(mins => $4)) RETURNING expires_at AS "expiresAt"`,
      [hash, providerId, redirectUri, MINUTES],
    );
    return expiresAt;
  }

  /** Uses up a sign-in, whether or not it turns out to be right; undefined if it has expired or was used already. */
  async take(hash: string): Promise<StartedFlow | undefined> {
    const [taken] = await this.database.inNewTransaction(() =>
      this.database.query<StartedFlow>(
        `DELETE FROM oidc_flows WHERE hash = $1 AND expires_at > clock_timestamp()
         RETURNING provider_id AS "providerId", redirect_uri AS "redirectUri"`,
        [hash],
      ),
    );
    return taken;
  }
}
