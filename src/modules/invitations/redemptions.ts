import { Injectable } from '@nestjs/common';
import { Memberships } from '../../access/memberships.js';
import type { Granter } from '../../access/seats.js';
import { Refusal } from '../../common/errors.js';
import type { EndeavourRole, OrganizationRole } from '../../common/roles.js';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import { Invitation } from './invitation.entity.js';
import { invitationView } from './invitation.view.js';
import { InvitationTokens, invalidToken } from './invitation-tokens.js';

/** What an invitation has brought: the roles as they are now. */
export interface Accepted {
  organization_id: string | null;
  role: OrganizationRole | null;
  endeavour_id: string | null;
  endeavour_role: EndeavourRole | null;
}

/** Whoever accepts, with the address they have proved. */
export type Accepter = Actor & { email: string };

const USABLE = `deleted_at IS NULL AND uses < max_uses AND expires_at > clock_timestamp()
  AND (email IS NULL OR email = $2)`;

/** Refusals that mean that the inviter could not give these roles today; everything else is a fault. */
const LAPSES = ['forbidden', 'not_found', 'archived'];

/** Turns a token into roles, at acceptance or at the end of a sign-up. */
@Injectable()
export class Redemptions {
  constructor(
    private readonly database: Database,
    private readonly memberships: Memberships,
    private readonly tokens: InvitationTokens,
    private readonly writes: Writes,
  ) {}

  /** The hash of a token that could be used now by that address; 400 `invalid_token` otherwise. */
  async hashOfUsable(token: string, email: string): Promise<string> {
    const hash = this.tokens.hashOf(token);
    const [row] = await this.database.query(`SELECT 1 FROM invitations WHERE token_hash = $1 AND ${USABLE}`, [
      hash,
      email,
    ]);
    if (row === undefined) throw invalidToken();
    return hash;
  }

  /**
   * Uses the invitation once and grants its roles, judged by what its inviter may give today. Must run in a
   * transaction; the row is locked, so that no two use the last use. Refuses with `invalid_token`.
   */
  async redeem(me: Accepter, hash: string): Promise<Accepted> {
    const invitation = await this.lock(hash, me.email);
    const inviter = await this.inviterOf(invitation);
    try {
      return await this.grant(inviter, me, invitation);
    } catch (error) {
      throw error instanceof Refusal && LAPSES.includes(error.code) ? invalidToken() : error;
    }
  }

  /** The same amid something that goes on without it: false, and nothing granted, where the invitation has lapsed. */
  async tryToRedeem(me: Accepter, hash: string): Promise<boolean> {
    await this.database.query('SAVEPOINT redemption');
    try {
      await this.redeem(me, hash);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.database.query('ROLLBACK TO SAVEPOINT redemption');
      return false;
    }
  }

  private async lock(hash: string, email: string): Promise<Invitation> {
    const [found] = await this.database.query<{ id: string }>(
      `SELECT id FROM invitations WHERE token_hash = $1 AND ${USABLE} FOR NO KEY UPDATE`,
      [hash, email],
    );
    if (found === undefined) throw invalidToken();
    return this.database.row(Invitation, found.id);
  }

  private async inviterOf({ invitedBy }: Invitation): Promise<Granter> {
    const inviter = await this.database.one<Granter>(
      `SELECT id AS "userId", resource_id AS "resourceId", name, is_admin AS "isAdmin", tier
       FROM users WHERE id = $1 AND status = 'active'`,
      [invitedBy],
    );
    if (inviter === undefined) throw invalidToken();
    return inviter;
  }

  private async grant(inviter: Granter, me: Accepter, invitation: Invitation): Promise<Accepted> {
    const { organizationId, role, endeavourId, endeavourRole } = invitation;
    const accepted: Accepted = {
      organization_id: organizationId,
      role,
      endeavour_id: endeavourId,
      endeavour_role: endeavourRole,
    };
    const member = { userId: me.userId, resourceId: me.resourceId };
    if (organizationId !== null && role !== null) {
      const seat = await this.memberships.grantOrganization(inviter, organizationId, member, {
        role,
        raisesOnly: true,
      });
      accepted.role = seat.role;
    }
    if (endeavourId !== null && endeavourRole !== null) {
      const grant = { role: endeavourRole, raisesOnly: true };
      accepted.endeavour_role = (await this.memberships.grantEndeavour(inviter, endeavourId, member, grant)).role;
    }
    await this.writes.patch(me, invitationView, Invitation, {
      current: invitation,
      changes: { uses: invitation.uses + 1 },
      place: { ownerUserId: invitation.invitedBy },
    });
    return accepted;
  }
}
