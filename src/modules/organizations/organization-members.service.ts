import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Consent } from '../../access/consent.js';
import { HomeDepartures, type DepartureReport, type KeptRoles } from '../../access/home-departures.js';
import { InnerLists } from '../../access/inner-lists.js';
import { Memberships } from '../../access/memberships.js';
import { MembershipRows, type Granted, type Member } from '../../access/membership-rows.js';
import { Tiers } from '../../access/tiers.js';
import { forbidden, notFound } from '../../common/errors.js';
import type { OrganizationRole } from '../../common/roles.js';
import type { Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { AdditionNoticesService } from '../messages/addition-notices.service.js';
import { ResourceHomesService } from '../resources/resource-homes.service.js';
import { TeamsService } from '../resources/teams.service.js';
import type {
  AddOrganizationMemberDto,
  AddOrganizationResourceDto,
  UpdateOrganizationMemberDto,
} from './organization-member.dto.js';
import { membersOfOrganization, organizationMemberList } from './organization-member.list.js';
import { OrganizationMembersRepository } from './organization-members.repository.js';
import { Organization } from './organization.entity.js';
import { OrganizationsService } from './organizations.service.js';

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
export class OrganizationMembersService {
  constructor(
    private readonly access: Access,
    private readonly additionNotices: AdditionNoticesService,
    private readonly consent: Consent,
    private readonly departures: HomeDepartures,
    private readonly homes: ResourceHomesService,
    private readonly innerLists: InnerLists,
    private readonly members: OrganizationMembersRepository,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
    private readonly organizations: OrganizationsService,
    private readonly teams: TeamsService,
    private readonly tiers: Tiers,
  ) {}

  list(me: Caller, id: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, id, query, { list: organizationMemberList, belongs: membersOfOrganization });
  }

  async add(me: Caller, id: string, dto: AddOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_add', Organization, id);
    const member = await this.memberships.person(me, 'user_id', dto.user_id);
    const isNew = await this.assertMayAdd(me, id, member);
    this.access.assertIfMatch(opened);
    if (isNew) await this.assertMayJoin(me, opened, member);
    await this.grant(me, id, member, dto.role);
    return this.members.read(me, id, member.userId);
  }

  async update(me: Caller, id: string, userId: string, dto: UpdateOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_update', Organization, id);
    const member = await this.memberOf(id, userId);
    this.access.assertIfMatch(opened);
    await this.memberships.grantOrganization(me, id, member, dto);
    return this.members.read(me, id, userId);
  }

  async remove(me: Caller, id: string, userId: string, kept: KeptRoles): Promise<DepartureReport> {
    const opened = await this.access.lockForUpdate(me, 'organizations_members_remove', Organization, id);
    const member = await this.memberOf(id, userId);
    return this.removeMember(me, opened, { ...member, userId }, kept);
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
    const member = await this.memberships.member(me, 'resource_id', dto.resource_id);
    const { resourceId, userId } = member;
    const addition = userId === null ? await this.homes.prepareAddition(me, resourceId, id) : undefined;
    const joins = userId !== null && (await this.assertMayAdd(me, id, { resourceId, userId }));
    this.access.assertIfMatch(opened);
    if (addition !== undefined) this.access.assertWritable(opened);
    if (joins) await this.assertMayJoin(me, opened, member);
    const { role, isNew } =
      addition === undefined
        ? await this.grant(me, id, member, dto.role)
        : await this.homes.add(me, addition, dto.role);
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
    this.access.assertIfMatch(opened);
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
    this.access.assertIfMatch(opened);
    await this.teams.leaveTeamsOf(me, id, resourceId);
    if (!kept.links) await this.teams.leaveTeamsOfLinks(me, id, userId);
    await this.memberships.revokeOrganization(me, id, resourceId);
    return this.departures.settle(me, id, { resourceId, userId }, kept);
  }

  private async grant(
    me: Caller,
    id: string,
    member: Member,
    role: OrganizationRole | undefined,
  ): Promise<Granted<OrganizationRole>> {
    const granted = await this.memberships.grantOrganization(me, id, member, { role });
    if (granted.isNew) await this.additionNotices.notify(me, { ...member, to: id, role: granted.role });
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

  /**
   * Rejects adding a person who is not a member yet, except by administrators; others must invite the person. Returns
   * whether the person is not a member yet.
   */
  private async assertMayAdd(me: Caller, id: string, member: Member & { userId: string }): Promise<boolean> {
    if (await this.membershipRows.isInOrganization(id, member.resourceId)) return false;
    await this.consent.assertForOrganization(me, id, member.userId);
    return true;
  }

  private async assertMayJoin(me: Caller, opened: LockedResource<Organization>, member: Member): Promise<void> {
    this.access.assertWritable(opened);
    await this.tiers.assertMayJoin(me, opened.id, member.resourceId);
  }

  private async memberOf(id: string, userId: string): Promise<Member> {
    const member = await this.members.memberOfUser(id, userId);
    if (member === undefined) throw notFound();
    return member;
  }
}
