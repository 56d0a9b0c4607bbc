import { Injectable } from '@nestjs/common';
import { nameOfOrganization } from '../../../access/visibility/containers.view.js';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import { ScimToken } from './scim-token.entity.js';

/** A valid token: which directory sends the request. */
export interface DirectoryToken {
  id: string;
  organizationId: string;
  organizationName: string;
  lastUsedAt: Date | null;
}

/** A token that expires soon. */
export interface ExpiringToken {
  organizationId: string;
  organizationName: string;
  name: string;
  expiresAt: Date;
}

/** Reads and writes provisioning tokens. */
@Injectable()
export class ScimTokensRepository {
  constructor(private readonly database: Database) {}

  /** The valid token with the hash. */
  find(hash: string): Promise<DirectoryToken | undefined> {
    return this.database.queryPipelined<DirectoryToken>(
      `SELECT st.id, st.organization_id AS "organizationId", ${nameOfOrganization('st.organization_id')} AS "organizationName",
         st.last_used_at AS "lastUsedAt"
       FROM scim_tokens st WHERE st.hash = $1 AND st.ended_at IS NULL AND st.expires_at > now()`,
      [hash],
    );
  }

  async nameOf(organizationId: string): Promise<string> {
    const row = await this.database.one<{ name: string }>(`SELECT ${nameOfOrganization('$1')} AS name`, [
      organizationId,
    ]);
    return row?.name ?? '';
  }

  async recordUse(id: string): Promise<void> {
    await this.database.query('UPDATE scim_tokens SET last_used_at = now() WHERE id = $1', [id]);
  }

  /** The number of valid tokens of the organization, which is locked. */
  async countLive(organizationId: string): Promise<number> {
    const row = await this.database.one<{ live: number }>(
      `SELECT count(*)::integer AS live FROM scim_tokens
       WHERE organization_id = $1 AND ended_at IS NULL AND expires_at > now()`,
      [organizationId],
    );
    return row?.live ?? 0;
  }

  /** The time after that many days. */
  async expiryAfter(days: number): Promise<Date> {
    const row = await this.database.one<{ at: Date }>('SELECT now() + make_interval(days => $1) AS at', [days]);
    if (row === undefined) throw new Error('the statement returned no row');
    return row.at;
  }

  /** Locks the token of the organization; undefined if it has ended. */
  async lock(organizationId: string, id: string): Promise<ScimToken | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, ScimToken, 'st')} FROM scim_tokens st
       WHERE st.id = $2 AND st.organization_id = $1 AND st.ended_at IS NULL FOR NO KEY UPDATE`,
      [organizationId, id],
    );
    return row && fromRow(this.database.source, ScimToken, row);
  }

  async deleteSecret(id: string): Promise<void> {
    await this.database.query('UPDATE scim_tokens SET hash = NULL WHERE id = $1', [id]);
  }

  /** The next token that expires before the time and of which the owners have not been told; marks it as told. */
  takeExpiring(before: Date): Promise<ExpiringToken | undefined> {
    return this.database.one<ExpiringToken>(
      `UPDATE scim_tokens st SET warned_at = now() WHERE st.id = (
         SELECT due.id FROM scim_tokens due
         WHERE due.ended_at IS NULL AND due.warned_at IS NULL AND due.expires_at BETWEEN now() AND $1
         ORDER BY due.expires_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
       RETURNING st.organization_id AS "organizationId", ${nameOfOrganization('st.organization_id')} AS "organizationName",
         st.name, st.expires_at AS "expiresAt"`,
      [before],
    );
  }
}
