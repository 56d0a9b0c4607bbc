import { Injectable } from '@nestjs/common';
import { AccessToken } from '../../access/authentication/access-token.entity.js';
import type { ProtectedResource } from '../../common/programs.js';
import { LOCK_USER } from '../../access/visibility/people.view.js';
import { columnsSql, fromRow } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { isGrantOf } from './grant.list.js';

/** A grant that has neither ended nor expired. */
export interface LiveGrant {
  id: string;
  userId: string;
  clientId: string;
  resource: ProtectedResource;
  scopes: string[];
  /** In seconds since 1970, as the expiry. */
  createdAt: number;
  expiresAt: number;
}

const IS_LIVE = `a.kind = 'oauth' AND a.ended_at IS NULL AND a.expires_at > now()`;
const LIVE_GRANT = `a.id, a.user_id AS "userId", a.client_id AS "clientId", a.resource, a.scopes,
  floor(extract(epoch FROM a.created_at))::double precision AS "createdAt",
  floor(extract(epoch FROM a.expires_at))::double precision AS "expiresAt"`;

/** Reads and writes what people have granted to programs of others. */
@Injectable()
export class GrantsRepository {
  constructor(private readonly database: Database) {}

  find(id: string): Promise<LiveGrant | undefined> {
    return this.database.one<LiveGrant>(`SELECT ${LIVE_GRANT} FROM access_tokens a WHERE a.id = $1 AND ${IS_LIVE}`, [
      id,
    ]);
  }

  /** The grant of a secret, if both are valid. */
  findBySecret(hash: string): Promise<LiveGrant | undefined> {
    return this.database.one<LiveGrant>(
      `SELECT ${LIVE_GRANT} FROM access_token_secrets k JOIN access_tokens a ON a.id = k.token_id
       WHERE k.hash = $1 AND k.expires_at > now() AND ${IS_LIVE}`,
      [hash],
    );
  }

  /** The number of valid grants of the user, who is locked so that none is created concurrently. */
  async countLive(userId: string): Promise<number> {
    await this.database.query(LOCK_USER, [userId]);
    const row = await this.database.one<{ live: number }>(
      `SELECT count(*)::integer AS live FROM access_tokens a WHERE a.user_id = $1 AND ${IS_LIVE}`,
      [userId],
    );
    return row?.live ?? 0;
  }

  async timeAfter(seconds: number): Promise<Date> {
    const row = await this.database.one<{ at: Date }>('SELECT now() + make_interval(secs => $1) AS at', [seconds]);
    if (row === undefined) throw new Error('the statement returned no row');
    return row.at;
  }

  /**
   * Adds a secret to a valid grant, and removes those that have expired; false if the grant is not valid any more. The row of the
   * grant is locked, so that none is added while it ends.
   */
  addSecret(grantId: string, { hash, seconds }: { hash: string; seconds: number }): Promise<boolean> {
    return this.database.inNewTransaction(async () => {
      const grant = await this.database.one(
        `SELECT a.id FROM access_tokens a WHERE a.id = $1 AND ${IS_LIVE} FOR NO KEY UPDATE`,
        [grantId],
      );
      if (grant === undefined) return false;
      await this.database.query('DELETE FROM access_token_secrets WHERE token_id = $1 AND expires_at <= now()', [
        grantId,
      ]);
      await this.database.query(
        `INSERT INTO access_token_secrets (hash, token_id, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
        [hash, grantId, seconds],
      );
      await this.extend(grantId, seconds);
      return true;
    });
  }

  /** Moves the end of a valid grant to so many seconds from now, if it is earlier. */
  async extend(grantId: string, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE access_tokens a SET expires_at = now() + make_interval(secs => $2)
       WHERE a.id = $1 AND ${IS_LIVE} AND a.expires_at < now() + make_interval(secs => $2)`,
      [grantId, seconds],
    );
  }

  /** Locks all grants of a program that have not ended, and removes their secrets; returns how many there are. */
  async closeOfClient(clientId: string): Promise<number> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT a.id FROM access_tokens a WHERE a.client_id = $1 AND a.ended_at IS NULL ORDER BY a.id FOR NO KEY UPDATE`,
      [clientId],
    );
    const ids = rows.map(({ id }) => id);
    await this.database.query('DELETE FROM access_token_secrets WHERE token_id = ANY($1::text[])', [ids]);
    await this.database.query('UPDATE entities SET deleted_at = clock_timestamp() WHERE id = ANY($1::text[])', [ids]);
    return ids.length;
  }

  /** Locks a grant of the user that has not ended; of any user without one. */
  async lock(id: string, userId?: string): Promise<AccessToken | undefined> {
    const owner = userId === undefined ? `a.kind = 'oauth' AND a.ended_at IS NULL` : isGrantOf('$2');
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, AccessToken, 'a')} FROM access_tokens a
       WHERE a.id = $1 AND ${owner} FOR NO KEY UPDATE`,
      userId === undefined ? [id] : [id, userId],
    );
    return row && fromRow(this.database.source, AccessToken, row);
  }
}
