import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Housekeeping } from '../../../platform/jobs/housekeeping.js';

/** Longer than a token is accepted, including the tolerated difference between clocks. */
const MINUTES = 10;

/** Remembers the tokens with which providers have signed people out. */
@Injectable()
export class LogoutTokensRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('logout_tokens', 'expires_at < now()');
  }

  /** Uses the token up; false if it was used before. */
  async use(providerId: string, jti: string): Promise<boolean> {
    const used = await this.database.query(
      `INSERT INTO logout_tokens (provider_id, jti, expires_at)
       VALUES ($1, $2, clock_timestamp() + make_interval(mins => $3)) ON CONFLICT DO NOTHING RETURNING 1`,
      [providerId, jti, MINUTES],
    );
    return used.length > 0;
  }
}
