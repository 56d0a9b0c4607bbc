import { Injectable } from '@nestjs/common';
import { EndedMembershipsRepository } from '../../../access/memberships/ended-memberships.repository.js';
import { HomeDepartures } from '../../../access/memberships/home-departures.js';
import type { FormerRole } from '../../../access/memberships/home-departures.repository.js';
import { isLastOwner } from '../../../access/memberships/membership.rules.js';
import { MembershipRows, type Granter } from '../../../access/memberships/membership-rows.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import type { OrganizationRole } from '../../../common/roles.js';
import { AdditionNoticesService } from '../../messages/addition-notices.service.js';
import { TeamsService } from '../../resources/teams/teams.service.js';
import type { FormerTeam } from '../../resources/teams/teams.repository.js';
import { OrganizationMembersRepository } from './organization-members.repository.js';

/** A person whom a directory knows. */
interface Person {
  userId: string;
  resourceId: string;
}

/** The memberships and roles of a person in an organization before the directory ended the membership. */
export interface FormerPlace {
  role: OrganizationRole;
  /** Whether a group gave the role. */
  via_group: boolean;
  endeavours: FormerRole[];
  teams: FormerTeam[];
  /** When the membership ended. */
  left_at: string;
}

/** The result of ending a membership: the roles that ended with it, or that it stays because the person is the last owner. */
export type Dismissal = { former: FormerPlace } | { isLastOwner: true };

/** Begins and ends memberships as the directory of an organization says, which needs no role. */
@Injectable()
export class DirectoryMembershipsService {
  constructor(
    private readonly additionNotices: AdditionNoticesService,
    private readonly departures: HomeDepartures,
    private readonly endedMemberships: EndedMembershipsRepository,
    private readonly members: OrganizationMembersRepository,
    private readonly membershipRows: MembershipRows,
    private readonly memberships: Memberships,
    private readonly teams: TeamsService,
  ) {}

  /** Locks the organization, so that its memberships change only in this transaction. */
  lock(organizationId: string): Promise<void> {
    return this.membershipRows.lock('organization', organizationId);
  }

  async isMember(organizationId: string, userId: string): Promise<boolean> {
    return (await this.members.memberOfUser(organizationId, userId)) !== undefined;
  }

  /** Whether the person belongs to no organization and no endeavour. */
  async hasNoPlace(userId: string): Promise<boolean> {
    return (await this.membershipRows.ofUser(userId)).length === 0;
  }

  /**
   * Makes the person a member, and tells the person; gives back what the person had, except for a role by groups, which
   * groups decide again. 409 `archived` or `in_progress`. Nothing happens to a member.
   */
  async join(directory: Granter, organizationId: string, person: Person, kept?: FormerPlace): Promise<void> {
    const former = await this.withoutLaterEnd(organizationId, person, kept);
    const role = former === undefined || former.via_group ? 'member' : former.role;
    const granted = await this.memberships.grantOrganization(directory, organizationId, person, {
      role,
      raisesOnly: true,
    });
    if (!granted.isNew) return;
    const roles = await this.departures.returnable(organizationId, former?.endeavours ?? []);
    for (const { endeavour_id, role: direct, stakeholder_roles: stakeholderRoles } of roles) {
      const grant = { role: direct, stakeholderRoles, raisesOnly: true };
      await this.memberships.grantEndeavour(directory, endeavour_id, person, grant);
    }
    await this.teams.joinTeamsOf(directory, organizationId, person.resourceId, former?.teams ?? []);
    await this.additionNotices.notify(directory, { ...person, to: organizationId, role });
  }

  /** What the directory has ended, unless the person has been back since, and the membership ended by hand. */
  private async withoutLaterEnd(
    organizationId: string,
    { userId }: Person,
    former: FormerPlace | undefined,
  ): Promise<FormerPlace | undefined> {
    const end = await this.endedMemberships.endOf(organizationId, userId);
    return end?.toISOString() === former?.left_at ? former : undefined;
  }

  /**
   * Gives a member the role of a group. Without one, a role that a group gave becomes that of a member. A role that was given
   * by hand stays.
   */
  async setGroupRole(
    directory: Granter,
    organizationId: string,
    person: Person,
    role: OrganizationRole | undefined,
  ): Promise<void> {
    const state = await this.membershipRows.find('organization', directory, organizationId, person.resourceId);
    const isByHand = !state.viaGroup && !(await this.members.isOfDirectory(organizationId, person.userId));
    if (state.role === null || isByHand || (role === undefined && !state.viaGroup)) return;
    const grant = role === undefined ? { role: 'member' as const } : { role, byGroup: true };
    await this.memberships.grantOrganization(directory, organizationId, person, grant);
  }

  /** Ends the membership and what follows from it, except that of the last active owner. */
  async dismiss(directory: Granter, organizationId: string, person: Person): Promise<Dismissal> {
    const { userId, resourceId } = person;
    const revocation = await this.memberships.authorizeRevocation(
      'organization',
      directory,
      organizationId,
      resourceId,
    );
    if (isLastOwner(revocation.state)) return { isLastOwner: true };
    const had = {
      role: revocation.state.role as OrganizationRole,
      via_group: revocation.state.viaGroup,
      endeavours: await this.departures.rolesOf(organizationId, userId),
      teams: await this.teams.membershipsIn(organizationId, resourceId),
    };
    await this.teams.leaveTeamsOf(directory, organizationId, resourceId);
    await this.teams.leaveTeamsOfLinks(directory, organizationId, userId);
    await this.memberships.revoke(directory, revocation, { byGroup: true });
    await this.departures.endRolesAndLinks(directory, organizationId, person, { endeavours: false, links: false });
    const end = await this.endedMemberships.endOf(organizationId, userId);
    return { former: { ...had, left_at: end?.toISOString() ?? '' } };
  }
}
