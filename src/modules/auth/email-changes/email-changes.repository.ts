import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Housekeeping } from '../../../platform/jobs/housekeeping.js';

/** A pending change of an e-mail address; nulls if no change is pending. */
export interface PendingChange {
  pending: boolean;
  new_email: string | null;
  expires_at: string | null;
}

/** Reads and writes pending changes of e-mail addresses, one per user. */
@Injectable()
export class EmailChangesRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('email_changes', "expires_at < now() - interval '1 day'");
  }

  /** Stores a change, which replaces an earlier one of the user. */
  async upsert(userId: string, email: string, minutes: number): Promise<void> {
    await this.database.query(
      `INSERT INTO email_changes (user_id, new_email, expires_at)
       VALUES ($1, $2, clock_timestamp() + make_interval(mins => $3))
       ON CONFLICT (user_id) DO UPDATE SET new_email = excluded.new_email, expires_at = excluded.expires_at`,
      [userId, email, minutes],
    );
  }

  /** Restarts the validity of the pending change to that address; false if there is none. */
  async extend(userId: string, email: string, minutes: number): Promise<boolean> {
    const pending = await this.database.query(
      `UPDATE email_changes SET expires_at = clock_timestamp() + make_interval(mins => $3)
       WHERE user_id = $1 AND new_email = $2 RETURNING 1`,
      [userId, email, minutes],
    );
    return pending.length > 0;
  }

  async pending(userId: string): Promise<PendingChange> {
    const row = await this.database.queryPipelined<{ new_email: string; expires_at: Date }>(
      'SELECT new_email, expires_at FROM email_changes WHERE user_id = $1 AND expires_at > now()',
      [userId],
    );
    return {
      pending: row !== undefined,
      new_email: row?.new_email ?? null,
      expires_at: row?.expires_at.toISOString() ?? null,
    };
  }

  async end(userId: string): Promise<void> {
    await this.database.query('DELETE FROM email_changes WHERE user_id = $1', [userId]);
  }
}
