import { Injectable } from '@nestjs/common';
import { homeOfEndeavour, nameOfEndeavour, nameOfOrganization } from '../../access/visibility/containers.view.js';
import { usersWithIds } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';
import type { Invitation } from './invitation.entity.js';

/** SQL: the name of the organization, the endeavour or the service that an invitation is for. */
const containerName = (organization: string, endeavour: string): string =>
  `coalesce(${nameOfOrganization(organization)},
    ${nameOfEndeavour(endeavour)}, 'Worksmith')`;

/** What the mail about an invitation says. A type, because it is the values of a mail. */
// oxlint-disable-next-line typescript/consistent-type-definitions
type InvitationMail = { inviter: string; place: string; target: string; expires: string };

/** Reads the contents of notifications to invited people, and stores the tokens of invitations. */
@Injectable()
export class InvitationLettersRepository {
  constructor(private readonly database: Database) {}

  /** Returns the organization of the invitation, or the home organization of its endeavour. */
  async homeOf({ organizationId, endeavourId }: Invitation): Promise<string | null> {
    const row = await this.database.one<{ home: string | null }>(
      `SELECT coalesce($1::text, ${homeOfEndeavour('$2')}) AS home`,
      [organizationId, endeavourId],
    );
    return row?.home ?? null;
  }

  /** Returns the resource of the invited user, and the name of the organization or endeavour. */
  recipientAndPlace({
    userId,
    organizationId,
    endeavourId,
  }: Invitation): Promise<{ recipient: string; place: string } | undefined> {
    return this.database.one<{ recipient: string; place: string }>(
      `SELECT u.resource_id AS recipient, ${containerName('$2::text', '$3::text')} AS place
       FROM ${usersWithIds('u', '$1')}`,
      [userId, organizationId, endeavourId],
    );
  }

  /** Stores the hash of the token and returns the contents of the mail; undefined if the invitation is no longer valid. */
  storeToken(id: string, hash: string): Promise<InvitationMail | undefined> {
    return this.database.one<InvitationMail>(
      `UPDATE invitations i SET token_hash = $2 FROM ${usersWithIds('u', 'i.invited_by')}
         AND i.id = $1 AND i.deleted_at IS NULL AND i.refused_at IS NULL
         AND i.expires_at > clock_timestamp()
         AND NOT EXISTS (SELECT 1 FROM ${usersWithIds('invited', 'i.user_id')} AND invited.status <> 'active')
       RETURNING u.name AS inviter, to_char(i.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires,
         ${containerName('i.organization_id', 'i.endeavour_id')} AS place,
         coalesce(${nameOfOrganization(homeOfEndeavour('i.endeavour_id'))}, 'Worksmith') AS target`,
      [id, hash],
    );
  }
}
