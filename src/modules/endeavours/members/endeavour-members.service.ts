import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Consent } from '../../../access/authentication/consent.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import { MemberReferences } from '../../../access/memberships/member-references.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { MembershipRows, type Member } from '../../../access/memberships/membership-rows.js';
import { conflict, notFound, type ApiError } from '../../../common/errors.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { AdditionNoticesService } from '../../messages/addition-notices.service.js';
import type { AddEndeavourMemberDto, UpdateEndeavourMemberDto } from './endeavour-member.dto.js';
import { endeavourMemberList, membersOfEndeavour } from './endeavour-member.list.js';
import { EndeavourMembersRepository } from './endeavour-members.repository.js';
import { Endeavour } from '../endeavour.entity.js';

/** Manages the members of an endeavour; `Memberships` enforces the rules for granting and revoking roles. */
@Injectable()
export class EndeavourMembersService {
  constructor(
    private readonly access: Access,
    private readonly additionNotices: AdditionNoticesService,
    private readonly consent: Consent,
    private readonly innerLists: ChildLists,
    private readonly members: EndeavourMembersRepository,
    private readonly memberReferences: MemberReferences,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
  ) {}

  list(me: Caller, id: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, id, query, { list: endeavourMemberList, belongs: membersOfEndeavour });
  }

  async add(me: Caller, id: string, dto: AddEndeavourMemberDto): Promise<Representation> {
    const { userId } = await this.admit(me, id, dto);
    return this.members.read(me, id, userId);
  }

  /** Adds a member by a `usr_` or `res_` id; an existing member gets the requested roles. */
  async admit(me: Caller, id: string, dto: AddEndeavourMemberDto): Promise<{ userId: string; isNew: boolean }> {
    const locked = await this.access.lockForUpdate(me, 'endeavours_members_add', Endeavour, id);
    const member = await this.memberReferences.person(me, 'user_id', dto.user_id);
    const { role, stakeholder_roles: stakeholderRoles } = dto;
    await this.membershipRows.lockAtHome(id, member.userId);
    const grant = await this.memberships.authorizeEndeavourGrant(me, id, member, { role, stakeholderRoles });
    await this.consent.assertForEndeavour(me, grant);
    this.access.assertIfMatch(locked);
    const granted = await this.memberships.apply(me, grant);
    if (granted.isNew) await this.additionNotices.notify(me, { ...member, to: id, role: granted.role });
    return { userId: member.userId, isNew: granted.isNew };
  }

  async update(me: Caller, id: string, userId: string, dto: UpdateEndeavourMemberDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'endeavours_members_update', Endeavour, id);
    await this.membershipRows.lockAtHome(id, userId);
    const member = await this.memberOf(id, userId);
    const { role, stakeholder_roles: sentRoles } = dto;
    const stakeholderRoles = sentRoles === null ? [] : sentRoles;
    const grant = await this.memberships.authorizeEndeavourGrant(me, id, member, { role, stakeholderRoles });
    this.access.assertIfMatch(locked);
    if (!member.isDirect) throw derivedRole();
    await this.memberships.apply(me, grant);
    return this.members.read(me, id, userId);
  }

  async remove(me: Caller, id: string, userId: string): Promise<void> {
    const locked = await this.access.lockForUpdate(me, 'endeavours_members_remove', Endeavour, id);
    await this.membershipRows.lockAtHome(id, userId);
    const { resourceId, isDirect } = await this.memberOf(id, userId);
    const revocation = await this.memberships.authorizeRevocation('endeavour', me, id, resourceId);
    this.access.assertIfMatch(locked);
    if (!isDirect) throw derivedRole();
    await this.memberships.revoke(me, revocation);
  }

  /** Returns a member, and whether the role is direct: a derived one cannot be changed here. */
  private async memberOf(id: string, userId: string): Promise<Member & { userId: string; isDirect: boolean }> {
    const row = await this.members.memberOfUser(id, userId);
    if (row === undefined) throw notFound();
    return { resourceId: row.resourceId, userId, isDirect: row.isDirect };
  }
}

/** The error for changing a derived role; 409 instead of 404, because the member is visible. */
const derivedRole = (): ApiError =>
  conflict(
    'derived',
    'This role is derived from an organization. Change it there, or add a direct membership to the endeavour.',
  );
