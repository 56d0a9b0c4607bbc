import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ProviderSession } from '../../access/authentication/sessions.js';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';

/** A sign-in that waits, and whether an identity provider instead of the password began it. */
export interface AttemptedSignIn {
  userId: string;
  isByProvider: boolean;
  /** The session at the provider, if one began it. */
  provider: ProviderSession | null;
}

/** Reads and writes sign-ins that wait for the second factor. */
@Injectable()
export class PendingSignInsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('pending_sign_ins', 'expires_at < now()');
  }

  async insert(
    { hash, userId, isByProvider, provider }: AttemptedSignIn & { hash: string },
    minutes: number,
  ): Promise<Date> {
    const [{ expiresAt }] = await this.database.query<{ expiresAt: Date }>(
      `INSERT INTO pending_sign_ins (hash, user_id, is_by_provider, provider, expires_at)
       VALUES ($1, $2, $4, $5, clock_timestamp() + make_interval(mins => $3)) RETURNING expires_at AS "expiresAt"`,
      [hash, userId, minutes, isByProvider, provider === null ? null : JSON.stringify(provider)],
    );
    return expiresAt;
  }

  /** Counts an attempt and commits it; a single UPDATE enforces the limit for concurrent attempts. */
  async countAttempt(hash: string, limit: number): Promise<AttemptedSignIn | undefined> {
    const [counted] = await this.database.inNewTransaction(() =>
      this.database.query<AttemptedSignIn>(
        `UPDATE pending_sign_ins SET attempts = attempts + 1
         WHERE hash = $1 AND attempts < $2 AND expires_at > clock_timestamp() RETURNING user_id AS "userId",
           is_by_provider AS "isByProvider", provider`,
        [hash, limit],
      ),
    );
    return counted;
  }

  async delete(hash: string): Promise<boolean> {
    const deleted = await this.database.query(
      'DELETE FROM pending_sign_ins WHERE hash = $1 AND expires_at > clock_timestamp() RETURNING 1',
      [hash],
    );
    return deleted.length > 0;
  }

  async deleteOf(userId: string): Promise<void> {
    await this.database.query('DELETE FROM pending_sign_ins WHERE user_id = $1', [userId]);
  }
}
