import { Injectable } from '@nestjs/common';
import { LOCK_USER } from '../../access/visibility/people.view.js';
import { LOCK_DIRECTED_AGENT } from '../../access/memberships/agents.js';
import type { Caller } from '../../access/authentication/caller.js';
import { endeavoursAtHomeIn, homeOfEndeavour } from '../../access/visibility/containers.view.js';
import { AccessToken } from '../../access/authentication/access-token.entity.js';
import { columnsSql, fromRow } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/views/view.js';
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

/** Who gives a token its secret, and what the session has proved. */
type Maker = Pick<Caller, 'userId' | 'hasSecondFactor' | 'provedTo'>;

/** A token that was made without a second factor; restricted if it reaches nothing outside of the organization. */
export interface UnprovedToken {
  id: string;
  userId: string;
  isRestricted: boolean;
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

  /** The number of valid tokens of the user, without grants; the user is locked so that none is created concurrently. */
  async countLive(userId: string): Promise<number> {
    await this.database.query(LOCK_USER, [userId]);
    const row = await this.database.one<{ live: number }>(
      `SELECT count(*)::integer AS live FROM access_tokens
       WHERE user_id = $1 AND kind <> 'oauth' AND ended_at IS NULL AND expires_at > now()`,
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

  /**
   * Makes the caller the maker of the token, whose rights limit those of the token, and whose session says whether a second
   * factor was proved. The old secret gains nothing by that while it is valid.
   */
  async changeMaker(
    tokenId: string,
    { userId, hasSecondFactor, provedTo }: Maker,
    { isOldSecretValid }: { isOldSecretValid: boolean },
  ): Promise<void> {
    await this.database.query(
      `UPDATE access_tokens SET made_by = $2, has_second_factor = $3 AND (has_second_factor OR NOT $5),
         proved_to = CASE WHEN NOT $5 OR has_second_factor OR proved_to = $4 THEN $4 END
       WHERE id = $1`,
      [tokenId, userId, hasSecondFactor === true, provedTo ?? null, isOldSecretValid],
    );
  }

  /**
   * Locks the valid tokens that reach what the organization is the home of, and were made without a second factor.
   */
  async lockUnproved(organizationId: string): Promise<UnprovedToken[]> {
    const endeavours = endeavoursAtHomeIn('$1');
    return this.database.query<UnprovedToken>(
      `SELECT a.id, a.user_id AS "userId",
         coalesce(a.organization_id = $1, false) OR coalesce(a.endeavour_id IN (${endeavours}), false) AS "isRestricted"
       FROM access_tokens a
       WHERE a.ended_at IS NULL AND a.expires_at > now() AND NOT a.has_second_factor
         AND a.proved_to IS DISTINCT FROM $1
         AND (a.organization_id = $1 OR a.endeavour_id IN (${endeavours})
           OR (a.organization_id IS NULL AND a.endeavour_id IS NULL AND (
             a.user_id IN (SELECT m.user_id FROM organization_resources m WHERE m.organization_id = $1)
             OR a.user_id IN (SELECT m.user_id FROM endeavour_members m WHERE m.endeavour_id IN (${endeavours})))))
       ORDER BY a.id FOR NO KEY UPDATE`,
      [organizationId],
    );
  }

  /** Locks the tokens with these ids that have not ended. */
  async lockThese(ids: readonly string[]): Promise<AccessToken[]> {
    const rows = await this.database.query(
      `SELECT ${this.columns} FROM access_tokens a WHERE a.id = ANY($1::text[]) AND a.ended_at IS NULL
       ORDER BY a.id FOR NO KEY UPDATE`,
      [ids],
    );
    return rows.map((row) => fromRow(this.database.source, AccessToken, row));
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
