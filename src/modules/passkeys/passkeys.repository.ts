import { Injectable } from '@nestjs/common';
import { LOCK_USER } from '../../access/visibility/people.view.js';
import { columnsSql, fromRow } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/views/view.js';
import { Passkey } from './passkey.entity.js';
import { passkeyView } from './passkey.view.js';

/** What checking a signature takes. */
export interface StoredPasskey {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: string;
  userHandle: string;
}

/** Reads and writes passkeys. */
@Injectable()
export class PasskeysRepository {
  constructor(private readonly database: Database) {}

  /** A passkey of the user; undefined if it was removed. */
  async read(userId: string, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = 'p.id = $2 AND p.user_id = $1 AND p.ended_at IS NULL';
    const row = await this.database.queryPipelined<Json>(oneAsJson(passkeyView, where, fields), [userId, id]);
    return row && Representation.of(row);
  }

  async lock(userId: string, id: string): Promise<Passkey | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, Passkey, 'p')} FROM passkeys p
       WHERE p.id = $2 AND p.user_id = $1 AND p.ended_at IS NULL FOR NO KEY UPDATE`,
      [userId, id],
    );
    return row && fromRow(this.database.source, Passkey, row);
  }

  byCredential(credentialId: string): Promise<StoredPasskey | undefined> {
    return this.database.one<StoredPasskey>(
      `SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
         user_handle AS "userHandle"
       FROM passkeys WHERE credential_id = $1 AND ended_at IS NULL`,
      [credentialId],
    );
  }

  /** The user's passkeys, as the authenticator knows them. */
  ofUser(userId: string): Promise<Pick<StoredPasskey, 'credentialId' | 'userHandle'>[]> {
    return this.database.query<Pick<StoredPasskey, 'credentialId' | 'userHandle'>>(
      `SELECT credential_id AS "credentialId", user_handle AS "userHandle" FROM passkeys
       WHERE user_id = $1 AND ended_at IS NULL ORDER BY created_at, id`,
      [userId],
    );
  }

  /** Locks the user, so that no passkey is added or removed concurrently. */
  async lockUser(userId: string): Promise<void> {
    await this.database.query(LOCK_USER, [userId]);
  }

  /**
   * Stores what the authenticator has counted, in one statement, so that of two copies of a passkey one is noticed; false if
   * the counter runs backwards. Authenticators that do not count send 0 every time.
   */
  async count(id: string, counter: number): Promise<boolean> {
    const counted = await this.database.query(
      `UPDATE passkeys SET counter = $2, last_used_at = clock_timestamp()
       WHERE id = $1 AND ended_at IS NULL AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
      [id, counter],
    );
    return counted.length > 0;
  }
}
