import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { ORGANIZATION_ROLES } from '../../common/roles.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { DELETED, exactly, type Deleted } from '../../platform/http/schemas.js';
import { Delete, Patch, Post } from '../../platform/http/routes.js';
import {
  AddOrganizationMemberDto,
  AddOrganizationResourceDto,
  UpdateOrganizationMemberDto,
} from './organization-member.dto.js';
import { organizationMemberList } from './organization-member.list.js';
import { organizationMemberView } from './organization-member.view.js';
import { OrganizationMembersService, type OrganizationSeat } from './organization-members.service.js';

const representation = Object.keys(organizationMemberView.fields);
const Id = () => Param('id', bodies.PathId('organization'));
const UserId = () => Param('user_id', bodies.PathId('user'));
const path = { id: 'organization' } as const;
const ofMember = { id: 'organization', user_id: 'user' } as const;

const organizationSeat = exactly({
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
  list(@Me() me: Caller, @Id() id: string, @Query() query: RawQuery): Promise<Page> {
    return this.members.list(me, id, query);
  }

  @Post('members')
  @Operation('organizations_members_add', {
    summary: 'Add member to organization',
    description: 'Somebody who is a member already gets the role that is given.',
    status: 201,
    path,
    body: AddOrganizationMemberDto,
    answer: organizationMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  add(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(AddOrganizationMemberDto, { representation })) dto: AddOrganizationMemberDto,
  ): Promise<Representation> {
    return this.members.add(me, id, dto);
  }

  @Patch('members/:user_id')
  @Operation('organizations_members_update', {
    summary: 'Change role of a member of an organization',
    path: ofMember,
    body: UpdateOrganizationMemberDto,
    answer: organizationMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @UserId() userId: string,
    @Body(bodies.Patch(UpdateOrganizationMemberDto, { representation })) dto: UpdateOrganizationMemberDto,
  ): Promise<Representation> {
    return this.members.update(me, id, userId, dto);
  }

  @Delete('members/:user_id')
  @Operation('organizations_members_remove', {
    summary: 'Remove member from organization, or leave it',
    path: ofMember,
    answer: DELETED,
    refuses: ['forbidden', 'conflict', 'precondition_failed'],
  })
  async remove(@Me() me: Caller, @Id() id: string, @UserId() userId: string): Promise<Deleted> {
    await this.members.remove(me, id, userId);
    return { id: userId, deleted: true };
  }

  @Post('resources')
  @Operation('organizations_resources_add', {
    summary: 'Add resource to organization',
    description:
      'Your own resource, or one that you manage; other people join by invitation. A resource that stands for a person ' +
      'makes that person a member. What is in the organization already gets the role that is given.',
    path,
    body: AddOrganizationResourceDto,
    answer: organizationSeat,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  addResource(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(AddOrganizationResourceDto)) dto: AddOrganizationResourceDto,
  ): Promise<OrganizationSeat> {
    return this.members.addResource(me, id, dto);
  }

  @Delete('resources/:resource_id')
  @Operation('organizations_resources_remove', {
    summary: 'Take resource out of organization',
    path: { id: 'organization', resource_id: 'resource' },
    answer: DELETED,
    refuses: ['forbidden', 'conflict', 'precondition_failed'],
  })
  async removeResource(
    @Me() me: Caller,
    @Id() id: string,
    @Param('resource_id', bodies.PathId('resource')) resourceId: string,
  ): Promise<Deleted> {
    await this.members.removeResource(me, id, resourceId);
    return { id: resourceId, deleted: true };
  }
}
