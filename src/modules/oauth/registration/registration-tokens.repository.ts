import { Injectable } from '@nestjs/common';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import { RegistrationToken } from './registration-token.entity.js';

/** Serializes the creations, because the number of tokens is limited. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('oauth_registration_tokens', 0))`;

/** Reads and writes registration tokens. */
@Injectable()
export class RegistrationTokensRepository {
  constructor(private readonly database: Database) {}

  /** Records the use of the valid token with the hash, and keeps it from ending meanwhile; undefined if there is none. */
  async use(hash: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `UPDATE oauth_registration_tokens SET last_used_at = now()
       WHERE hash = $1 AND ended_at IS NULL AND expires_at > now() RETURNING id`,
      [hash],
    );
    return row?.id;
  }

  /** The number of valid tokens; no other is created until the end of the transaction. */
  async countLive(): Promise<number> {
    await this.database.query(LOCK);
    const row = await this.database.one<{ live: number }>(
      `SELECT count(*)::integer AS live FROM oauth_registration_tokens WHERE ended_at IS NULL AND expires_at > now()`,
    );
    return row?.live ?? 0;
  }

  /** The time after that many days. */
  async expiryAfter(days: number): Promise<Date> {
    const row = await this.database.one<{ at: Date }>('SELECT now() + make_interval(days => $1) AS at', [days]);
    if (row === undefined) throw new Error('the statement returned no row');
    return row.at;
  }

  /** Locks the token; undefined if it has ended. */
  async lock(id: string): Promise<RegistrationToken | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, RegistrationToken, 'rt')} FROM oauth_registration_tokens rt
       WHERE rt.id = $1 AND rt.ended_at IS NULL FOR NO KEY UPDATE`,
      [id],
    );
    return row && fromRow(this.database.source, RegistrationToken, row);
  }

  async deleteSecret(id: string): Promise<void> {
    await this.database.query('UPDATE oauth_registration_tokens SET hash = NULL WHERE id = $1', [id]);
  }
}
