import { Injectable } from '@nestjs/common';
import { LOCK_USER } from '../../access/people.view.js';
import { LOCK_DIRECTED_AGENT } from '../../access/agents.js';
import { homeOfEndeavour } from '../../access/containers.view.js';
import { AccessToken } from '../../access/access-token.entity.js';
import { columnsSql, fromRow } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/view.js';
import { isManagedTokenOf } from './token.list.js';
import { tokenView } from './token.view.js';

/** An agent that the caller directs. */
export interface DirectedAgent {
  id: string;
  name: string;
  /** Null if it has none, and so no rights. */
  managerId: string | null;
  managerResourceId: string | null;
}

/** Reads and writes access tokens and their secrets. */
@Injectable()
export class TokensRepository {
  constructor(private readonly database: Database) {}

  /** The token, if the user manages it ({@link isManagedTokenOf}); undefined if it has ended. */
  async read(userId: string, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `a.id = $2 AND ${isManagedTokenOf('$1')} AND a.ended_at IS NULL`;
    const row = await this.database.queryPipelined<Json>(oneAsJson(tokenView, where, fields), [userId, id]);
    return row && Representation.of(row);
  }

  /** Locks the token, if the user manages it; undefined if it has ended. */
  async lock(userId: string, id: string): Promise<(AccessToken & { isLive: boolean }) | undefined> {
    const row = await this.database.one(
      `SELECT ${this.columns}, a.expires_at > now() AS is_live FROM access_tokens a
       WHERE a.id = $2 AND ${isManagedTokenOf('$1')} AND a.ended_at IS NULL FOR NO KEY UPDATE`,
      [userId, id],
    );
    if (row === undefined) return undefined;
    return Object.assign(fromRow(this.database.source, AccessToken, row), { isLive: row.is_live === true });
  }

  /** The number of valid tokens of the user, who is locked so that none is created concurrently. */
  async countLive(userId: string): Promise<number> {
    await this.database.query(LOCK_USER, [userId]);
    const row = await this.database.one<{ live: number }>(
      `SELECT count(*)::integer AS live FROM access_tokens
       WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now()`,
      [userId],
    );
    return row?.live ?? 0;
  }

  /** The latest possible and the default expiry of a token that is created now. */
  async expiries(days: { most: number; usual: number }): Promise<{ latest: Date; usual: Date; now: Date }> {
    const row = await this.database.one<{ latest: Date; usual: Date; now: Date }>(
      `SELECT now() AS now, now() + make_interval(days => $1) AS latest, now() + make_interval(days => $2) AS usual`,
      [days.most, days.usual],
    );
    if (row === undefined) throw new Error('the statement returned no row');
    return row;
  }

  /** Adds a secret; the previous one stays valid for `overlapSeconds`, and older ones are removed. */
  async replaceSecret(tokenId: string, hash: string, overlapSeconds: number): Promise<void> {
    await this.database.query(
      'DELETE FROM access_token_secrets WHERE token_id = $1 AND ($2 = 0 OR expires_at IS NOT NULL)',
      [tokenId, overlapSeconds],
    );
    await this.database.query(
      `UPDATE access_token_secrets SET expires_at = now() + make_interval(secs => $2) WHERE token_id = $1`,
      [tokenId, overlapSeconds],
    );
    await this.database.query('INSERT INTO access_token_secrets (hash, token_id) VALUES ($1, $2)', [hash, tokenId]);
  }

  /** Makes the user the maker of the token, whose rights limit those of the token. */
  async changeMaker(tokenId: string, makerId: string): Promise<void> {
    await this.database.query('UPDATE access_tokens SET made_by = $2 WHERE id = $1', [tokenId, makerId]);
  }

  async deleteSecrets(tokenIds: readonly string[]): Promise<void> {
    await this.database.query('DELETE FROM access_token_secrets WHERE token_id = ANY($1::text[])', [tokenIds]);
  }

  /** Locks the tokens that the user has, or has created for others, and that have not ended. */
  async lockAll(userId: string): Promise<AccessToken[]> {
    const rows = await this.database.query(
      `SELECT ${this.columns} FROM access_tokens a
       WHERE (a.user_id = $1 OR a.made_by = $1) AND a.ended_at IS NULL
       ORDER BY a.id FOR NO KEY UPDATE`,
      [userId],
    );
    return rows.map((row) => fromRow(this.database.source, AccessToken, row));
  }

  /** Locks the tokens of the user that are not restricted to something outside of the organization. */
  async lockReaching(userId: string, organizationId: string): Promise<AccessToken[]> {
    const rows = await this.database.query(
      `SELECT ${this.columns} FROM access_tokens a
       WHERE a.user_id = $1 AND a.ended_at IS NULL
         AND coalesce(a.organization_id, ${homeOfEndeavour('a.endeavour_id')},
           CASE WHEN a.endeavour_id IS NULL THEN $2 END) = $2
       ORDER BY a.id FOR NO KEY UPDATE OF a`,
      [userId, organizationId],
    );
    return rows.map((row) => fromRow(this.database.source, AccessToken, row));
  }

  /** Locks the agent; undefined unless the user manages it or administers its organization. */
  lockAgent(
    { userId, isAdmin }: { userId: string; isAdmin: boolean },
    agentId: string,
  ): Promise<DirectedAgent | undefined> {
    return this.database.one<DirectedAgent>(LOCK_DIRECTED_AGENT, [userId, agentId, isAdmin]);
  }

  private get columns(): string {
    return columnsSql(this.database.source, AccessToken, 'a');
  }
}
