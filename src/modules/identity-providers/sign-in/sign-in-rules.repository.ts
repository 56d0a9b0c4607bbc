import { Injectable } from '@nestjs/common';
import { emailOfUser, isActivePerson, isAdministrator, joinUser } from '../../../access/visibility/people.view.js';
import { Database } from '../../../platform/database/database.js';
import { hasSecondFactor, passwordHashOf } from '../../credentials/credential.view.js';
import { isProvedBy } from '../../domains/domain.view.js';
import { hasPasskey } from '../../passkeys/passkey.view.js';

/** A provider with which somebody has to sign in. */
export interface RequiredProvider {
  id: string;
  name: string;
  /** Whether the user owns its organization, and so keeps other ways in. */
  isOwner: boolean;
}

/** SQL: the domain of the address of a user. */
const domainOfUser = (user: string): string => `substring(${emailOfUser(user)} FROM '[^@]+$')`;

/** Reads who has to sign in with a provider. */
@Injectable()
export class SignInRulesRepository {
  constructor(private readonly database: Database) {}

  /** The providers of which the user has to use one; none for administrators. */
  requiredFor(userId: string): Promise<RequiredProvider[]> {
    return this.database.query<RequiredProvider>(
      `SELECT idp.id, idp.name, m.role = 'owner' AS "isOwner"
       FROM identity_providers idp JOIN organization_resources m ON m.organization_id = idp.organization_id
       WHERE idp.required AND idp.is_enabled AND m.user_id = $1 AND NOT ${isAdministrator('$1')}
         AND ${domainOfUser('$1')} = ANY (idp.domains) AND ${isProvedBy('idp.organization_id', domainOfUser('$1'))}
       ORDER BY idp.name, idp.id`,
      [userId],
    );
  }

  /** Locks the providers that are required by the organizations that the user owns; returns the organizations. */
  async lockRequiredOfOwner(userId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT idp.organization_id AS id
       FROM identity_providers idp JOIN organization_resources m ON m.organization_id = idp.organization_id
       WHERE idp.required AND idp.is_enabled AND m.user_id = $1 AND m.role = 'owner'
       ORDER BY idp.id FOR NO KEY UPDATE OF idp`,
      [userId],
    );
    return [...new Set(rows.map(({ id }) => id))];
  }

  /** Whether an active owner has a passkey, or a password with a second factor. */
  async hasOwnerWithAWayIn(organizationId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM organization_resources m ${joinUser('u', 'm.user_id')}
       WHERE m.organization_id = $1 AND m.role = 'owner' AND ${isActivePerson('u')}
         AND (${hasPasskey('u.id')} OR (${hasSecondFactor('u.id')} AND ${passwordHashOf('u.id')} IS NOT NULL)) LIMIT 1`,
      [organizationId],
    );
    return rows.length > 0;
  }
}
