import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import type { DepartureReport } from '../../../access/memberships/home-departures.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { ORGANIZATION_ROLES } from '../../../common/roles.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../../platform/http/requests/transactional-routes.js';
import {
  AddOrganizationMemberDto,
  AddOrganizationResourceDto,
  UpdateOrganizationMemberDto,
} from './organization-member.dto.js';
import { exactly, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { departed, departedOrUnlinked, keptQuery, LEAVING, readKept } from './departure.js';
import { organizationMemberList } from './organization-member.list.js';
import { organizationMemberView } from './organization-member.view.js';
import { OrganizationMembersService, type OrganizationMembership } from './organization-members.service.js';

const representation = Object.keys(organizationMemberView.fields);
const Id = () => Param('id', bodies.PathId('organization'));
const UserId = () => Param('user_id', bodies.PathId('user'));
const path = { id: 'organization' } as const;
const ofMember = { id: 'organization', user_id: 'user' } as const;

const organizationMembership = exactly({
  organization_id: { type: 'string' },
  resource_id: { type: 'string' },
  role: { type: 'string', enum: [...ORGANIZATION_ROLES] },
});

@ApiTags('Organizations')
@Controller('organizations/:id')
export class OrganizationMembersController {
  constructor(private readonly members: OrganizationMembersService) {}

  @Get('members')
  @Operation('organizations_members_list', {
    summary: 'List members of an organization',
    path,
    list: organizationMemberList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.members.list(me, id, query);
  }

  @TransactionalPost('members')
  @Operation('organizations_members_add', {
    summary: 'Add member to organization',
    description:
      'Changes the role of an existing member. Only administrators can add people directly; for others, the response is ' +
      '403 with the reason `invitation_required`: invite people with POST /invitations. Managers can add their own ' +
      'agents, which count for the tier.',
    status: 201,
    createdIn: null,
    path,
    body: AddOrganizationMemberDto,
    response: organizationMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  add(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AddOrganizationMemberDto, { representation })) dto: AddOrganizationMemberDto,
  ): Promise<Representation> {
    return this.members.add(me, id, dto);
  }

  @TransactionalPatch('members/:user_id')
  @Operation('organizations_members_update', {
    summary: 'Change membership of an organization',
    description:
      'Updates the role and the capacity (JSON merge patch) and returns the membership. Admins set the capacity of every ' +
      'member, also of owners, and of members whose role a group gives.',
    path: ofMember,
    body: UpdateOrganizationMemberDto,
    response: organizationMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @UserId() userId: string,
    @Body(bodies.PatchBody(UpdateOrganizationMemberDto, { representation })) dto: UpdateOrganizationMemberDto,
  ): Promise<Representation> {
    return this.members.update(me, id, userId, dto);
  }

  @TransactionalDelete('members/:user_id')
  @Operation('organizations_members_remove', {
    summary: 'Remove member from organization, or leave it',
    description: LEAVING,
    path: ofMember,
    query: keptQuery,
    response: departed,
    refuses: ['forbidden', 'conflict', 'precondition_failed'],
  })
  async remove(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @UserId() userId: string,
    @QueryParameters() query: RawQuery,
  ): Promise<Deleted & DepartureReport> {
    const report = await this.members.remove(me, id, userId, readKept(query));
    return { id: userId, deleted: true, ...report };
  }

  @TransactionalPost('resources')
  @Operation('organizations_resources_add', {
    summary: 'Add resource to organization',
    description:
      'If you created the resource and it has no home organization, this organization becomes its home. A ' +
      'resource with another home organization is shared; only an owner of its home can do that. People have to ' +
      'be invited (403 with the reason `invitation_required`) unless an administrator adds them. If the ' +
      'resource is already in the organization, its role is updated.',
    path,
    body: AddOrganizationResourceDto,
    response: organizationMembership,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  addResource(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AddOrganizationResourceDto)) dto: AddOrganizationResourceDto,
  ): Promise<OrganizationMembership> {
    return this.members.addResource(me, id, dto);
  }

  @TransactionalDelete('resources/:resource_id')
  @Operation('organizations_resources_remove', {
    summary: 'Remove resource from organization',
    description:
      'Owners of the home organization can remove a resource from its home; its creator then manages it. Admins ' +
      'of either organization can end the sharing of a resource. Removing the resource of a user removes that ' +
      'member.',
    path: { id: 'organization', resource_id: 'resource' },
    query: keptQuery,
    response: departedOrUnlinked,
    refuses: ['forbidden', 'archived', 'conflict', 'precondition_failed'],
  })
  async removeResource(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Param('resource_id', bodies.PathId('resource')) resourceId: string,
    @QueryParameters() query: RawQuery,
  ): Promise<Deleted & Partial<DepartureReport>> {
    const report = await this.members.removeResource(me, id, resourceId, readKept(query));
    return { id: resourceId, deleted: true, ...report };
  }
}
