import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { rankOf, type EndeavourRole } from '../common/roles.js';
import { Database } from '../platform/database/database.js';
import type { Caller } from './caller.js';
import { MembershipRows } from './membership-rows.js';

/** The period in which a person who left a container can return only by invitation. */
const RETURN_PERIOD_DAYS = 30;

const hasLeft = (container: string, user: string): string =>
  `EXISTS (SELECT 1 FROM departures d WHERE d.container_id = ${container} AND d.user_id = ${user}
     AND d.left_at > now() - make_interval(days => ${RETURN_PERIOD_DAYS}))`;

/** SQL: whether the user is an agent of that manager. */
const isAgentOf = (user: string, manager: string): string =>
  `EXISTS (SELECT 1 FROM users agent WHERE agent.id = ${user} AND agent.manager_id = ${manager})`;

/**
 * Decides who can be added to a container by id, without an invitation (spec 02, Consent). Checked after the references
 * are resolved and before the grant; changing the role of a member is not an addition.
 */
@Injectable()
export class Consent {
  constructor(
    private readonly database: Database,
    private readonly membershipRows: MembershipRows,
  ) {}

  /** Only administrators add people to an organization by id; managers can add their own agents. */
  async assertForOrganization(me: Caller, organizationId: string, userId: string): Promise<void> {
    const row = await this.database.one<{ left: boolean; isMine: boolean }>(
      `SELECT ${hasLeft('$1', '$2')} AS left, ${isAgentOf('$2', '$3')} AS "isMine"`,
      [organizationId, userId, me.userId],
    );
    if (row?.isMine === true) return;
    if (!me.isAdmin || row?.left === true) throw invitationRequired();
  }

  /**
   * Members of the home organization can be added to its endeavours. To an endeavour without a home organization,
   * members of an organization where the caller is admin can be added, with the role `member` at most. The membership
   * in the organization is locked, so that it does not end before the transaction does. The calling code has locked the
   * endeavour, so that a direct role does not end either.
   */
  async assertForEndeavour(me: Caller, endeavourId: string, userId: string, role?: EndeavourRole): Promise<void> {
    const isAtHome = await this.membershipRows.lockAtHome(endeavourId, userId);
    if (userId === me.userId) return;
    const state = await this.database.one<{
      home: string | null;
      isMember: boolean;
      left: boolean;
      isMine: boolean;
    }>(
      `SELECT e.organization_id AS home, ${isAgentOf('$2', '$3')} AS "isMine", ${hasLeft('e.id', '$2')} AS left,
         EXISTS (SELECT 1 FROM endeavour_members m WHERE m.endeavour_id = e.id AND m.user_id = $2) AS "isMember"
       FROM endeavours e WHERE e.id = $1`,
      [endeavourId, userId, me.userId],
    );
    if (state === undefined || state.isMember || state.isMine) return;
    if (state.left) throw invitationRequired();
    if (me.isAdmin) return;
    const isColleague =
      state.home === null
        ? rankOf(role ?? 'member') <= rankOf('member') && (await this.isAdministered(me, userId))
        : isAtHome;
    if (!isColleague) throw invitationRequired();
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
