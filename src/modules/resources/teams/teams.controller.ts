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
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { AddTeamMemberDto } from '../resource.dto.js';
import { teamMemberList } from './team-member.list.js';
import { teamMemberView } from './team-member.view.js';
import { TeamsService } from './teams.service.js';

const representation = Object.keys(teamMemberView.fields);
const Id = () => Param('id', bodies.PathId('resource'));

@ApiTags('Resources')
@Controller('resources/:id/members')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @Operation('resources_members_list', {
    summary: 'List members of a team',
    path: { id: 'resource' },
    list: teamMemberList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.teams.list(me, id, query);
  }

  @TransactionalPost()
  @Operation('resources_members_add', {
    summary: 'Add member to team',
    description:
      'You can add members and resources of the home organization of the team. If the team has no home ' +
      "organization, you can add its creator and the creator's own resources. A member who leaves the home " +
      "organization also leaves the team. Members count as owners and assignees of the team's work. If the resource " +
      'is already a member, its role is updated.',
    status: 201,
    createdIn: null,
    path: { id: 'resource' },
    body: AddTeamMemberDto,
    response: teamMemberView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  add(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AddTeamMemberDto, { representation })) dto: AddTeamMemberDto,
  ): Promise<Representation> {
    return this.teams.add(me, id, dto);
  }

  @TransactionalDelete(':resource_id')
  @Operation('resources_members_remove', {
    summary: 'Remove member from team',
    description:
      'Removes the resource from the team. The work of the team stays with the team. A team whose members the directory of ' +
      'the organization keeps is 409 `managed`.',
    path: { id: 'resource', resource_id: 'resource' },
    response: DELETED,
    refuses: ['forbidden', 'archived', 'conflict', 'precondition_failed'],
  })
  async remove(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Param('resource_id', bodies.PathId('resource')) resourceId: string,
  ): Promise<Deleted> {
    await this.teams.remove(me, id, resourceId);
    return { id: resourceId, deleted: true };
  }
}
