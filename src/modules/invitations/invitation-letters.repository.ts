import { Injectable } from '@nestjs/common';
import { nameOfEndeavour, nameOfOrganization } from '../../access/containers.view.js';
import { usersWithIds } from '../../access/people.view.js';
import { Database } from '../../platform/database/database.js';
import type { Invitation } from './invitation.entity.js';

/** SQL for what an invitation leads to: the organization, else the endeavour, else the service. */
const placeName = (organization: string, endeavour: string): string =>
  `coalesce(${nameOfOrganization(organization)},
    ${nameOfEndeavour(endeavour)}, 'Worksmith')`;

/** What letters to invited people say. */
@Injectable()
export class InvitationLettersRepository {
  constructor(private readonly database: Database) {}

  /** The resource of the invited user, and the name of the place. */
  recipientAndPlace({
    userId,
    organizationId,
    endeavourId,
  }: Invitation): Promise<{ recipient: string; place: string } | undefined> {
    return this.database.one<{ recipient: string; place: string }>(
      `SELECT u.resource_id AS recipient, ${placeName('$2::text', '$3::text')} AS place
       FROM ${usersWithIds('u', '$1')}`,
      [userId, organizationId, endeavourId],
    );
  }

  /** Gives the invitation its token, and answers with what the mail says; undefined where it cannot be accepted any more. */
  keepToken(id: string, hash: string): Promise<{ inviter: string; place: string; expires: string } | undefined> {
    return this.database.one<{ inviter: string; place: string; expires: string }>(
      `UPDATE invitations i SET token_hash = $2 FROM ${usersWithIds('u', 'i.invited_by')}
         AND i.id = $1 AND i.deleted_at IS NULL AND i.refused_at IS NULL
         AND i.expires_at > clock_timestamp()
         AND NOT EXISTS (SELECT 1 FROM ${usersWithIds('invited', 'i.user_id')} AND invited.status <> 'active')
       RETURNING u.name AS inviter, to_char(i.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires,
         ${placeName('i.organization_id', 'i.endeavour_id')} AS place`,
      [id, hash],
    );
  }
}
