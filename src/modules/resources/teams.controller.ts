import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
import { Delete, Post } from '../../platform/http/routes.js';
import { AddTeamMemberDto } from './resource.dto.js';
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
  list(@Me() me: Caller, @Id() id: string, @Query() query: RawQuery): Promise<Page> {
    return this.teams.list(me, id, query);
  }

  @Post()
  @Operation('resources_members_add', {
    summary: 'Add member to team',
    description:
      'You can add members and resources of the home organization of the team or, if it has no home ' +
      'organization, its creator and their own resources. A member who leaves the home organization leaves the ' +
      "team. Members count as owners and assignees of the team's work. If the resource is already a member, its " +
      'role is updated.',
    status: 201,
    path: { id: 'resource' },
    body: AddTeamMemberDto,
    answer: teamMemberView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  add(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(AddTeamMemberDto, { representation })) dto: AddTeamMemberDto,
  ): Promise<Representation> {
    return this.teams.add(me, id, dto);
  }

  @Delete(':resource_id')
  @Operation('resources_members_remove', {
    summary: 'Remove member from team',
    path: { id: 'resource', resource_id: 'resource' },
    answer: DELETED,
    refuses: ['forbidden', 'archived', 'precondition_failed'],
  })
  async remove(
    @Me() me: Caller,
    @Id() id: string,
    @Param('resource_id', bodies.PathId('resource')) resourceId: string,
  ): Promise<Deleted> {
    await this.teams.remove(me, id, resourceId);
    return { id: resourceId, deleted: true };
  }
}
