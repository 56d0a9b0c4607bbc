import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import { Memberships } from '../../access/memberships.js';
import type { Member } from '../../access/seats.js';
import { Tiers } from '../../access/tiers.js';
import { forbidden, notFound } from '../../common/errors.js';
import type { OrganizationRole } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type Json } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { isManagedBy } from '../resources/managed.js';
import type {
  AddOrganizationMemberDto,
  AddOrganizationResourceDto,
  UpdateOrganizationMemberDto,
} from './organization-member.dto.js';
import { organizationMemberList } from './organization-member.list.js';
import { organizationMemberView } from './organization-member.view.js';
import { Organization } from './organization.entity.js';

/** A resource and what it is in an organization. */
export interface OrganizationSeat {
  organization_id: string;
  resource_id: string;
  role: OrganizationRole;
}

/** Who and what belongs to an organization; what may be given and taken is the business of `Memberships`. */
@Injectable()
export class OrganizationMembersService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly innerLists: InnerLists,
    private readonly memberships: Memberships,
    private readonly tiers: Tiers,
  ) {}

  list(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const belongs = (organization: string): string => `m.organization_id = ${organization}`;
    return this.innerLists.page(me, id, query, { list: organizationMemberList, belongs });
  }

  async add(me: Caller, id: string, dto: AddOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.open(me, 'organizations_members_add', Organization, id);
    const member = await this.memberships.person(me, 'user_id', dto.user_id);
    if (!(await this.isIn(id, member))) await this.assertRoomFor(me, id, member);
    this.access.matches(opened);
    await this.memberships.grantOrganization(me, id, member, { role: dto.role });
    return this.read(me, id, member.userId);
  }

  async update(me: Caller, id: string, userId: string, dto: UpdateOrganizationMemberDto): Promise<Representation> {
    const opened = await this.access.open(me, 'organizations_members_update', Organization, id);
    const member = await this.seated(id, userId);
    this.access.matches(opened);
    await this.memberships.grantOrganization(me, id, member, dto);
    return this.read(me, id, userId);
  }

  async remove(me: Caller, id: string, userId: string): Promise<void> {
    const opened = await this.access.open(me, 'organizations_members_remove', Organization, id);
    const { resourceId } = await this.seated(id, userId);
    this.access.matches(opened);
    await this.memberships.revokeOrganization(me, id, resourceId);
  }

  /** People other than oneself come by being asked, so that they agree; what is in already gets the role. */
  async addResource(me: Caller, id: string, dto: AddOrganizationResourceDto): Promise<OrganizationSeat> {
    const opened = await this.access.open(me, 'organizations_resources_add', Organization, id);
    const member = await this.memberships.member(me, 'resource_id', dto.resource_id);
    if (!(await this.isIn(id, member))) {
      await this.assertMayBring(me, member);
      await this.assertRoomFor(me, id, member);
    }
    this.access.matches(opened);
    const { role } = await this.memberships.grantOrganization(me, id, member, { role: dto.role });
    return { organization_id: id, resource_id: member.resourceId, role };
  }

  async removeResource(me: Caller, id: string, resourceId: string): Promise<void> {
    const opened = await this.access.open(me, 'organizations_resources_remove', Organization, id);
    this.access.matches(opened);
    await this.memberships.revokeOrganization(me, id, resourceId);
  }

  private async assertMayBring(me: Caller, { resourceId }: Member): Promise<void> {
    const row = await this.database.one<{ mine: boolean }>(
      `SELECT ${isManagedBy('r', '$2', '$3')} AS mine FROM resources r WHERE r.id = $1`,
      [resourceId, me.userId, me.resourceId],
    );
    if (row === undefined || !(row.mine || me.isAdmin)) {
      throw forbidden('managing the resource; other people join by invitation');
    }
  }

  private async assertRoomFor(me: Caller, id: string, { resourceId }: Member): Promise<void> {
    const row = await this.database.one<{ type: string }>('SELECT type FROM resources WHERE id = $1', [resourceId]);
    if (row !== undefined) await this.tiers.assertMayAddResource(me, id, row.type);
  }

  private async isIn(id: string, { resourceId }: Member): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM organization_resources WHERE organization_id = $1 AND resource_id = $2',
      [id, resourceId],
    );
    return row !== undefined;
  }

  private async seated(id: string, userId: string): Promise<Member> {
    const member = await this.database.one<Member>(
      `SELECT resource_id AS "resourceId", user_id AS "userId" FROM organization_resources
       WHERE organization_id = $1 AND user_id = $2`,
      [id, userId],
    );
    if (member === undefined) throw notFound();
    return member;
  }

  private async read(me: Caller, id: string, userId: string): Promise<Representation> {
    const sql = oneAsJson(organizationMemberView, 'm.id = $2 AND m.organization_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, userId, id]));
  }
}
