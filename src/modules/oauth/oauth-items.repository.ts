import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import type { StoredModel } from './oauth-item.entity.js';

/** What the library stores under a code or token. */
export type Payload = Record<string, unknown>;

/** What is stored under a code or token. */
export interface StoredItem {
  payload: Payload;
  grantId: string | null;
  /** When it was first used, in seconds since 1970; null if it was not. */
  consumedAt: number | null;
  /** The seconds since then. */
  consumedFor: number | null;
}

/** What is stored anew. */
export interface NewItem {
  payload: Payload;
  grantId: string | null;
  /** The keyed hash of the code that a person types. */
  userCode: string | null;
  /** How long it is valid. */
  seconds: number;
}

const STORED = `i.payload, i.grant_id AS "grantId",
  floor(extract(epoch FROM i.consumed_at))::double precision AS "consumedAt",
  extract(epoch FROM clock_timestamp() - i.consumed_at)::double precision AS "consumedFor"`;

/** Reads and writes the codes and tokens of the authorization server, by their keyed hashes. */
@Injectable()
export class OauthItemsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('oauth_items', 'expires_at < now()');
  }

  async save(model: StoredModel, hash: string, { payload, grantId, userCode, seconds }: NewItem): Promise<void> {
    await this.database.query(
      `INSERT INTO oauth_items (model, hash, payload, grant_id, user_code, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
       ON CONFLICT (model, hash) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
         expires_at = excluded.expires_at`,
      [model, hash, JSON.stringify(payload), grantId, userCode, seconds],
    );
  }

  find(model: StoredModel, hash: string): Promise<StoredItem | undefined> {
    return this.database.one<StoredItem>(
      `SELECT ${STORED} FROM oauth_items i WHERE i.model = $1 AND i.hash = $2 AND i.expires_at > now()`,
      [model, hash],
    );
  }

  /** Records the first use; false if there was one. Of concurrent uses, one is the first. */
  async consume(model: StoredModel, hash: string): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE oauth_items SET consumed_at = clock_timestamp()
       WHERE model = $1 AND hash = $2 AND consumed_at IS NULL RETURNING 1`,
      [model, hash],
    );
    return rows.length > 0;
  }

  async delete(model: StoredModel, hash: string): Promise<void> {
    await this.database.query('DELETE FROM oauth_items WHERE model = $1 AND hash = $2', [model, hash]);
  }

  async deleteOfGrant(model: StoredModel, grantId: string): Promise<void> {
    await this.database.query('DELETE FROM oauth_items WHERE model = $1 AND grant_id = $2', [model, grantId]);
  }

  /** Ends what the program has asked for and not got yet: waiting requests, and codes that are not redeemed. */
  async endRequestsOf(clientId: string): Promise<void> {
    await this.database.query(
      `DELETE FROM oauth_items WHERE model IN ('AuthorizationCode', 'DeviceCode', 'Interaction')
         AND coalesce(payload ->> 'clientId', payload -> 'params' ->> 'client_id') = $1`,
      [clientId],
    );
  }

  /** The request of a device that waits for a decision. */
  findWaiting(userCode: string): Promise<StoredItem | undefined> {
    return this.database.one<StoredItem>(
      `SELECT ${STORED} FROM oauth_items i WHERE i.user_code = $1 AND i.expires_at > now()
         AND NOT i.payload ?| '{accountId,error}'`,
      [userCode],
    );
  }

  /** Adds the decision of a person to the request of a device; false if it does not wait for one any more. */
  async decide(userCode: string, decision: Payload, grantId: string | null): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE oauth_items SET payload = payload || $2::jsonb, grant_id = $3
       WHERE user_code = $1 AND expires_at > now() AND NOT payload ?| '{accountId,error}' RETURNING 1`,
      [userCode, JSON.stringify(decision), grantId],
    );
    return rows.length > 0;
  }
}
