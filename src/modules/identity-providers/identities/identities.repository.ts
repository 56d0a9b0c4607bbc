import { Injectable } from '@nestjs/common';
import { isAdministrator, LOCK_USER } from '../../../access/visibility/people.view.js';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../../platform/database/views/view.js';
import { hasSecondFactor } from '../../credentials/credential.view.js';
import { hasAcceptedInto } from '../../invitations/invitation-references.view.js';
import { Identity } from './identity.entity.js';
import { identityView } from './identity.view.js';
import { joinProvider } from '../identity-provider.view.js';

export interface FoundIdentity {
  id: string;
  userId: string;
  isValid: boolean;
}

/**
 * SQL: whether the user of `idn` signs in with it. Where an address has linked it, the organization of `provider` must still
 * speak for the account, so that neither a former company nor the provider of one company enters for an administrator.
 */
const IS_VALID = `(idn.linked_by_user OR provider.organization_id IS NULL OR (
  NOT ${isAdministrator('idn.user_id')}
  AND (EXISTS (SELECT 1 FROM organization_accounts made
      WHERE made.user_id = idn.user_id AND made.organization_id = provider.organization_id)
    OR EXISTS (SELECT 1 FROM organization_resources membership
      WHERE membership.user_id = idn.user_id AND membership.organization_id = provider.organization_id))))`;

/** Reads and writes what providers call the users. */
@Injectable()
export class IdentitiesRepository {
  constructor(private readonly database: Database) {}

  /** An identity of the user; undefined if it was removed, or its provider was deleted. */
  async read(userId: string, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = 'idn.id = $2 AND idn.user_id = $1 AND idn.ended_at IS NULL AND provider.deleted_at IS NULL';
    const row = await this.database.queryPipelined<Json>(oneAsJson(identityView, where, fields), [userId, id]);
    return row && Representation.of(row);
  }

  async lock(userId: string, id: string): Promise<Identity | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, Identity, 'idn')}
       FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.id = $2 AND idn.user_id = $1 AND idn.ended_at IS NULL AND provider.deleted_at IS NULL
       FOR NO KEY UPDATE OF idn`,
      [userId, id],
    );
    return row && fromRow(this.database.source, Identity, row);
  }

  /** Waits for other sign-ins of the same person, of which only the first links or creates an account. */
  async lockSubject(providerId: string, subject: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${providerId} ${subject}`]);
  }

  /** Locks the user, so that no way to sign in is added or removed concurrently. */
  async lockUser(userId: string): Promise<void> {
    await this.database.query(LOCK_USER, [userId]);
  }

  /** What the provider calls so, and whether its user signs in with it (see `IS_VALID`). */
  async find(providerId: string, subject: string): Promise<FoundIdentity | undefined> {
    return this.database.one<FoundIdentity>(
      `SELECT idn.id, idn.user_id AS "userId", ${IS_VALID} AS "isValid"
       FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.provider_id = $1 AND idn.subject = $2 AND idn.ended_at IS NULL`,
      [providerId, subject],
    );
  }

  /** Whether the user has, or had, an identity at the provider. */
  async hasBeenLinked(providerId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query('SELECT 1 FROM identities WHERE provider_id = $1 AND user_id = $2 LIMIT 1', [
      providerId,
      userId,
    ]);
    return rows.length > 0;
  }

  /** Whether the provider of an organization has, or had, an identity of the user that an address linked. */
  async hasLetCompaniesIn(userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.user_id = $1 AND NOT idn.linked_by_user AND provider.organization_id IS NOT NULL LIMIT 1`,
      [userId],
    );
    return rows.length > 0;
  }

  /** Whether the user can sign in with the provider. */
  async isAt(providerId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.provider_id = $1 AND idn.user_id = $2 AND idn.ended_at IS NULL AND ${IS_VALID} LIMIT 1`,
      [providerId, userId],
    );
    return rows.length > 0;
  }

  /** Whether its user can sign in with the identity. */
  async isWayIn(id: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.id = $1 AND idn.ended_at IS NULL AND provider.is_enabled AND ${IS_VALID}`,
      [id],
    );
    return rows.length > 0;
  }

  async countUse(providerId: string, subject: string): Promise<void> {
    await this.database.query(
      `UPDATE identities SET last_used_at = clock_timestamp()
       WHERE provider_id = $1 AND subject = $2 AND ended_at IS NULL`,
      [providerId, subject],
    );
  }

  /** The number of identities with which the user can sign in. */
  async countOf(userId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.user_id = $1 AND idn.ended_at IS NULL AND provider.is_enabled AND ${IS_VALID}`,
      [userId],
    );
    return row?.count ?? 0;
  }

  /** The names of the providers with which the user signs in. */
  async providerNames(userId: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT DISTINCT provider.name FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.user_id = $1 AND idn.ended_at IS NULL AND provider.is_enabled AND ${IS_VALID} ORDER BY provider.name LIMIT 5`,
      [userId],
    );
    return rows.map(({ name }) => name);
  }

  /** Whether the user can prove to be there at a provider (see `provesSecondFactor`). */
  async canProve(userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identities idn ${joinProvider('provider', 'idn.provider_id')}
       WHERE idn.user_id = $1 AND idn.ended_at IS NULL AND provider.is_enabled AND ${IS_VALID}
         AND (NOT ${hasSecondFactor('idn.user_id')}
           OR (provider.proves_second_factor AND provider.organization_id IS NULL)) LIMIT 1`,
      [userId],
    );
    return rows.length > 0;
  }

  /**
   * Whether the organization may speak for the account: it has made it, or the person has joined it by an own act, which
   * is founding it or accepting an invitation.
   */
  async isSpokenFor(userId: string, organizationId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM organization_accounts a WHERE a.user_id = $1 AND a.organization_id = $2
       UNION ALL SELECT 1 FROM organization_resources m WHERE m.user_id = $1 AND m.organization_id = $2
         AND (m.added_by = $1 OR ${hasAcceptedInto('m.organization_id', 'm.user_id', 'm.joined_at')})`,
      [userId, organizationId],
    );
    return rows.length > 0;
  }

  /** Whether the organization made the account. */
  async isMadeBy(userId: string, organizationId: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM organization_accounts WHERE user_id = $1 AND organization_id = $2',
      [userId, organizationId],
    );
    return rows.length > 0;
  }

  async recordMaker(userId: string, organizationId: string): Promise<void> {
    await this.database.query('INSERT INTO organization_accounts (user_id, organization_id) VALUES ($1, $2)', [
      userId,
      organizationId,
    ]);
  }
}
