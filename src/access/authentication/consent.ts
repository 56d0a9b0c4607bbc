import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { rankOf, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';
import type { Caller } from './caller.js';
import type { AuthorizedGrant } from '../memberships/memberships.js';

/** The period in which a person who left a container can return only by invitation. */
const RETURN_PERIOD_DAYS = 30;

const hasLeft = (container: string, user: string): string =>
  `EXISTS (SELECT 1 FROM departures d WHERE d.container_id = ${container} AND d.user_id = ${user}
     AND d.left_at > now() - make_interval(days => ${RETURN_PERIOD_DAYS}))`;

/** SQL: whether the user is an agent of that manager. */
const isAgentOf = (user: string, manager: string): string =>
  `EXISTS (SELECT 1 FROM users agent WHERE agent.id = ${user} AND agent.manager_id = ${manager})`;

/**
 * Decides who can be added to a container by id, without an invitation (spec 02, Consent). Checked after the role and the
 * references, before the grant is applied; changing the role of a member is not an addition.
 */
@Injectable()
export class Consent {
  constructor(private readonly database: Database) {}

  /** Only administrators add people to an organization by id; managers can add their own agents. */
  async assertForOrganization(me: Caller, grant: AuthorizedGrant<OrganizationRole>): Promise<void> {
    if (!grant.isNew || grant.next.userId === null) return;
    const { left, isMine } = await this.factsOf(me, grant.containerId, grant.next.userId);
    if (isMine) return;
    if (!me.isAdmin || left) throw invitationRequired();
  }

  /**
   * Members of the home organization can be added to its endeavours. To an endeavour without a home organization,
   * members of an organization where the caller is admin can be added, with the role `member` at most. That membership
   * is locked, so that it does not end before the transaction does; the calling code has locked the endeavour and the
   * membership in its home organization.
   */
  async assertForEndeavour(me: Caller, grant: AuthorizedGrant<EndeavourRole>): Promise<void> {
    const { containerId, state, next, isNew } = grant;
    if (!isNew || next.userId === null || next.userId === me.userId) return;
    const { left, isMine } = await this.factsOf(me, containerId, next.userId);
    if (isMine) return;
    if (left) throw invitationRequired();
    if (me.isAdmin) return;
    const isColleague = state.hasHome
      ? state.isAtHome
      : rankOf(next.role) <= rankOf('member') && (await this.isAdministered(me, next.userId));
    if (!isColleague) throw invitationRequired();
  }

  /** Whether the user left the container so recently that only an invitation brings them back. */
  async hasLeft(containerId: string, userId: string): Promise<boolean> {
    const row = await this.database.one<{ left: boolean }>(`SELECT ${hasLeft('$1', '$2')} AS left`, [
      containerId,
      userId,
    ]);
    return row?.left === true;
  }

  /** Whether the user left the container recently, and whether the user is an agent of the caller. */
  private async factsOf(me: Caller, containerId: string, userId: string): Promise<{ left: boolean; isMine: boolean }> {
    const row = await this.database.one<{ left: boolean; isMine: boolean }>(
      `SELECT ${hasLeft('$1', '$2')} AS left, ${isAgentOf('$2', '$3')} AS "isMine"`,
      [containerId, userId, me.userId],
    );
    return row ?? { left: false, isMine: false };
  }

  private async isAdministered(me: Caller, userId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM organization_resources theirs JOIN organization_resources mine USING (organization_id)
       WHERE mine.user_id = $1 AND role_rank(mine.role) >= 3 AND theirs.user_id = $2 AND theirs.role <> 'guest'
       LIMIT 1 FOR KEY SHARE OF theirs`,
      [me.userId, userId],
    );
    return row !== undefined;
  }
}

/** The error for adding a person who has to accept an invitation first (`POST /invitations`). */
export const invitationRequired = (): ApiError =>
  new ApiError('forbidden', 'This person has to agree first; invite them with POST /invitations.', {
    required: 'the consent of the person',
    reason: 'invitation_required',
  });
