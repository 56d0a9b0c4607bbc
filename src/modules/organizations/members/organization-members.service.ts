import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Consent } from '../../../access/authentication/consent.js';
import { HomeDepartures, type DepartureReport, type KeptRoles } from '../../../access/memberships/home-departures.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import { MemberReferences } from '../../../access/memberships/member-references.js';
import { Memberships, type AuthorizedGrant } from '../../../access/memberships/memberships.js';
import type { Granted, Member } from '../../../access/memberships/membership-rows.js';
import { Tiers } from '../../../access/tiers/tiers.js';
import { forbidden, notFound } from '../../../common/errors.js';
import type { OrganizationRole } from '../../../common/roles.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { GroupRoles } from '../../identity-providers/group-roles.service.js';
import { AdditionNoticesService } from '../../messages/addition-notices.service.js';
import { ResourceHomesService } from '../../resources/erasure/resource-homes.service.js';
import { TeamsService } from '../../resources/teams/teams.service.js';
import type {
  AddOrganizationMemberDto,
  AddOrganizationResourceDto,
  UpdateOrganizationMemberDto,
} from './organization-member.dto.js';
import { MemberCapacitiesService } from './member-capacities.service.js';
import { membersOfOrganization, organizationMemberList } from './organization-member.list.js';
import { OrganizationMembersRepository } from './organization-members.repository.js';
import { Organization } from '../organization.entity.js';
import { OrganizationsService } from '../organizations.service.js';

const ADMIN = 3;

/** A resource and its role in an organization. */
export interface OrganizationMembership {
  organization_id: string;
  resource_id: string;
  role: OrganizationRole;
}

/** A membership, and whether it is new. */
type AddedMembership = OrganizationMembership & { isNew: boolean };

/** Manages the people and resources of an organization; `Memberships` enforces the rules of granting and revoking. */
@Injectable()
export class OrganizationMembersService implements OnModuleInit {
  constructor(
    private readonly access: Access,
    private readonly additionNotices: AdditionNoticesService,
    private readonly capacities: MemberCapacitiesService,
    private readonly consent: Consent,
    private readonly departures: HomeDepartures,
    private readonly groupRoles: GroupRoles,
    private readonly homes: ResourceHomesService,
    private readonly innerLists: ChildLists,
    private readonly members: OrganizationMembersRepository,
    private readonly memberReferences: MemberReferences,
    private readonly memberships: Memberships,
    private readonly organizations: OrganizationsService,
    private readonly teams: TeamsService,
    private readonly tiers: Tiers,
  ) {}

  onModuleInit(): void {
    this.groupRoles.removeBy((me, id, member) => this.removeByGroup(me, id, member));
  }

  list(me: Caller, id: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, id, query, { list: organizationMemberList, belongs: membersOfOrganization });
  }

  async add(me: Caller, id: string, dto: AddOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_add', Organization, id);
    const member = await this.memberReferences.person(me, 'user_id', dto.user_id);
    const grant = await this.memberships.authorizeOrganizationGrant(me, id, member, { role: dto.role });
    await this.consent.assertForOrganization(me, grant);
    this.access.assertIfMatch(opened);
    await this.addPerson(me, opened, grant);
    return this.members.read(me, id, member.userId);
  }

  async update(me: Caller, id: string, userId: string, dto: UpdateOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_update', Organization, id);
    const member = await this.memberOf(id, userId);
    const grant = await this.memberships.authorizeOrganizationGrant(me, id, member, { role: dto.role });
    this.access.assertIfMatch(opened);
    if (dto.capacity !== undefined) this.access.assertWritable(opened);
    await this.memberships.apply(me, grant);
    if (dto.capacity !== undefined) await this.capacities.set(me, id, member, dto.capacity);
    return this.members.read(me, id, userId);
  }

  async remove(me: Caller, id: string, userId: string, kept: KeptRoles): Promise<DepartureReport> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_remove', Organization, id);
    const member = await this.memberOf(id, userId);
    return this.removeMember(me, opened, { ...member, userId }, kept);
  }

  /** Ends a membership that a group gave and no longer gives. */
  async removeByGroup(me: Caller, id: string, { resourceId, userId }: Member & { userId: string }): Promise<void> {
    const revocation = await this.memberships.authorizeRevocation('organization', me, id, resourceId);
    await this.teams.leaveTeamsOf(me, id, resourceId);
    await this.teams.leaveTeamsOfLinks(me, id, userId);
    await this.memberships.revoke(me, revocation, { byGroup: true });
    await this.departures.endRolesAndLinks(me, id, { resourceId, userId }, { endeavours: false, links: false });
  }

  async addResource(me: Caller, id: string, dto: AddOrganizationResourceDto): Promise<OrganizationMembership> {
    const { organization_id, resource_id, role } = await this.admit(me, id, dto);
    return { organization_id, resource_id, role };
  }

  /**
   * Adds a resource. The resource of a user makes the user a member; for any other resource, the organization becomes
   * its home, or shares it.
   */
  async admit(me: Caller, id: string, dto: AddOrganizationResourceDto): Promise<AddedMembership> {
    const opened = await this.access.lockForUpdate(me, 'organizations_resources_add', Organization, id);
    const member = await this.memberReferences.member(me, 'resource_id', dto.resource_id);
    const { resourceId, userId } = member;
    const addition = userId === null ? await this.homes.prepareAddition(me, resourceId, id) : undefined;
    const grant = await this.memberships.authorizeOrganizationGrant(me, id, member, { role: dto.role });
    await this.consent.assertForOrganization(me, grant);
    this.access.assertIfMatch(opened);
    if (addition !== undefined) this.access.assertWritable(opened);
    const { role, isNew } =
      addition === undefined ? await this.addPerson(me, opened, grant) : await this.homes.add(me, addition, grant);
    return { organization_id: id, resource_id: resourceId, role, isNew };
  }

  /**
   * Removes a resource or member. A manager of a shared resource can end the sharing without seeing the organization.
   */
  async removeResource(
    me: Caller,
    id: string,
    resourceId: string,
    kept: KeptRoles,
  ): Promise<DepartureReport | undefined> {
    const opened = await this.lockForRemoval(me, id, resourceId);
    const membership = await this.members.memberOfResource(id, resourceId);
    if (opened === undefined || membership === undefined) throw notFound();
    if (membership.userId !== null)
      return this.removeMember(me, opened, { resourceId, userId: membership.userId }, kept);
    await this.homes.remove(me, opened.row, resourceId);
    return undefined;
  }

  private async removeMember(
    me: Caller,
    opened: Pick<LockedResource<Organization>, 'row' | 'rank'>,
    { resourceId, userId }: Member & { userId: string },
    kept: KeptRoles,
  ): Promise<DepartureReport> {
    const { id } = opened.row;
    this.departures.assertMayKeep(me, { resourceId, userId }, opened.rank, kept);
    const revocation = await this.memberships.authorizeRevocation('organization', me, id, resourceId);
    this.access.assertIfMatch(opened);
    await this.teams.leaveTeamsOf(me, id, resourceId);
    if (!kept.links) await this.teams.leaveTeamsOfLinks(me, id, userId);
    await this.memberships.revoke(me, revocation);
    return this.departures.endRolesAndLinks(me, id, { resourceId, userId }, kept);
  }

  private async addPerson(
    me: Caller,
    opened: LockedResource<Organization>,
    grant: AuthorizedGrant<OrganizationRole>,
  ): Promise<Granted<OrganizationRole>> {
    if (grant.isNew) {
      this.access.assertWritable(opened);
      await this.tiers.assertMayJoin(me, opened.id, grant.next.resourceId);
    }
    const granted = await this.memberships.apply(me, grant);
    if (granted.isNew) await this.additionNotices.notify(me, { ...granted, to: opened.id });
    return granted;
  }

  private async lockForRemoval(
    me: Caller,
    id: string,
    resourceId: string,
  ): Promise<Pick<LockedResource<Organization>, 'row' | 'rank'> | undefined> {
    if (await this.homes.mayEndSharing(me, resourceId, id)) {
      const row = await this.organizations.lock(id);
      return row && { row, rank: 0 };
    }
    const opened = await this.access.lockForUpdate(me, 'organizations_resources_remove', Organization, id);
    if (opened.rank < ADMIN && resourceId !== me.resourceId) {
      throw forbidden('the admin role in this organization');
    }
    return opened;
  }

  private async memberOf(id: string, userId: string): Promise<Member> {
    const member = await this.members.memberOfUser(id, userId);
    if (member === undefined) throw notFound();
    return member;
  }
}
