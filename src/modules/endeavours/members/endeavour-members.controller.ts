import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../../platform/http/requests/transactional-routes.js';
import { AddEndeavourMemberDto, UpdateEndeavourMemberDto } from './endeavour-member.dto.js';
import { endeavourMemberList } from './endeavour-member.list.js';
import { endeavourMemberView } from './endeavour-member.view.js';
import { EndeavourMembersService } from './endeavour-members.service.js';

const representation = Object.keys(endeavourMemberView.fields);
const Id = () => Param('id', bodies.PathId('endeavour'));
const UserId = () => Param('user_id', bodies.PathId('user'));
const path = { id: 'endeavour' } as const;
const ofMember = { id: 'endeavour', user_id: 'user' } as const;

@ApiTags('Endeavours')
@Controller('endeavours/:id/members')
export class EndeavourMembersController {
  constructor(private readonly members: EndeavourMembersService) {}

  @Get()
  @Operation('endeavours_members_list', {
    summary: 'List members of an endeavour',
    description: 'Lists everyone with a role in the endeavour, through a direct membership or through an organization.',
    path,
    list: endeavourMemberList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.members.list(me, id, query);
  }

  @TransactionalPost()
  @Operation('endeavours_members_add', {
    summary: 'Add member to endeavour',
    description:
      'You can add members of the home organization or, if the endeavour has no home organization, members of ' +
      'an organization where you have the admin role. Invite other people: they are rejected with 403 and the ' +
      'reason `invitation_required`. If the person is already a member, the given values are updated.',
    status: 201,
    createdIn: null,
    path,
    body: AddEndeavourMemberDto,
    response: endeavourMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  add(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AddEndeavourMemberDto, { representation })) dto: AddEndeavourMemberDto,
  ): Promise<Representation> {
    return this.members.add(me, id, dto);
  }

  @TransactionalPatch(':user_id')
  @Operation('endeavours_members_update', {
    summary: 'Change role or stakeholder roles of an endeavour member',
    description: 'Updates the roles that you send (JSON merge patch) and returns the membership.',
    path: ofMember,
    body: UpdateEndeavourMemberDto,
    response: endeavourMemberView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @UserId() userId: string,
    @Body(bodies.PatchBody(UpdateEndeavourMemberDto, { representation })) dto: UpdateEndeavourMemberDto,
  ): Promise<Representation> {
    return this.members.update(me, id, userId, dto);
  }

  @TransactionalDelete(':user_id')
  @Operation('endeavours_members_remove', {
    summary: 'Remove member from endeavour, or leave it',
    description: 'Ends the direct role of the member. A role that is derived from an organization is kept.',
    path: ofMember,
    response: DELETED,
    refuses: ['forbidden', 'conflict', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string, @UserId() userId: string): Promise<Deleted> {
    await this.members.remove(me, id, userId);
    return { id: userId, deleted: true };
  }
}
