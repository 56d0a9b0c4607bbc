import { Injectable } from '@nestjs/common';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import type { ClientMetadata } from './client-metadata.rules.js';
import { OauthClient, type Registrar } from './oauth-client.entity.js';

/** A registered program as the authorization server needs it. */
export interface RegisteredClient extends ClientMetadata {
  registeredBy: Registrar;
  secretHash: string | null;
}

/** SQL: whether no person has ever let the program `oc` act. */
const IS_UNUSED = 'NOT EXISTS (SELECT 1 FROM access_tokens a WHERE a.client_id = oc.id)';

/** Reads registered programs, and deletes their secrets. */
@Injectable()
export class OauthClientsRepository {
  constructor(private readonly database: Database) {}

  /** Undefined if it is deleted. */
  find(id: string): Promise<RegisteredClient | undefined> {
    return this.database.one<RegisteredClient>(
      `SELECT oc.name, oc.redirect_uris AS "redirectUris", oc.grant_types AS "grantTypes", oc.auth_method AS "authMethod",
         oc.registered_by AS "registeredBy", oc.secret_hash AS "secretHash"
       FROM oauth_clients oc WHERE oc.id = $1 AND oc.deleted_at IS NULL`,
      [id],
    );
  }

  /** Keeps the program from being changed or deleted until the end of the transaction; false if it is deleted. */
  async keep(id: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT oc.id FROM oauth_clients oc WHERE oc.id = $1 AND oc.deleted_at IS NULL FOR SHARE',
      [id],
    );
    return row !== undefined;
  }

  /** The number of programs that registered themselves without a token and were never used. */
  async countUnused(): Promise<number> {
    const row = await this.database.one<{ unused: number }>(
      `SELECT count(*)::integer AS unused FROM oauth_clients oc
       WHERE oc.registered_by = 'open' AND oc.deleted_at IS NULL AND ${IS_UNUSED}`,
    );
    return row?.unused ?? 0;
  }

  /** Locks a program that registered itself, and was not used in time; one that a person lets act at the moment is left out. */
  async lockUnused(): Promise<OauthClient | undefined> {
    const columns = columnsSql(this.database.source, OauthClient, 'oc');
    const row = await this.database.one<{ id: string }>(
      `SELECT oc.id FROM oauth_clients oc
       WHERE oc.registered_by <> 'administrator' AND oc.deleted_at IS NULL AND ${IS_UNUSED}
         AND oc.created_at < now() - CASE oc.registered_by WHEN 'open' THEN interval '1 day' ELSE interval '30 days' END
       ORDER BY oc.created_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    // Once it is locked, nobody can let it act.
    const locked = `SELECT ${columns} FROM oauth_clients oc WHERE oc.id = $1 AND ${IS_UNUSED}`;
    const client = row && (await this.database.one(locked, [row.id]));
    return client && fromRow(this.database.source, OauthClient, client);
  }

  async deleteSecret(id: string): Promise<void> {
    await this.database.query('UPDATE oauth_clients SET secret_hash = NULL WHERE id = $1', [id]);
  }
}
