import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Delete, Patch, Post } from '../../platform/http/routes.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
import { CreateAgentDto, UpdateAgentDto } from './agent.dto.js';
import { agentList } from './agent.list.js';
import { agentView } from './agent.view.js';
import { AgentsService } from './agents.service.js';

const Id = () => Param('id', bodies.PathId('user'));
const path = { id: 'user' } as const;
const representation = Object.keys(agentView.fields);

@ApiTags('Users')
@Controller('agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Operation('agents_list', {
    summary: 'List agents',
    description: 'Returns the agents that you manage, and the agents of organizations where you have the admin role.',
    list: agentList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.agents.list(me, query);
  }

  @Post()
  @Operation('agents_create', {
    summary: 'Create an agent',
    description:
      'Creates a user for a program, without e-mail address and password; it authenticates with access tokens. ' +
      'You become its manager. The agent becomes a member of the organization, never has more rights than its ' +
      'manager, and counts as the same person as its manager in reviews and votes. If the manager leaves the ' +
      'organization or loses the admin role there, the longest-standing active owner becomes the manager, and ' +
      'the access tokens that the former manager created are revoked.',
    status: 201,
    body: CreateAgentDto,
    answer: agentView,
    refuses: ['archived', 'tier_limit'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateAgentDto, { representation })) dto: CreateAgentDto,
  ): Promise<Representation> {
    return this.agents.create(me, dto);
  }

  @Patch(':id')
  @Operation('agents_update', {
    summary: 'Rename, pause or resume an agent',
    path,
    body: UpdateAgentDto,
    answer: agentView,
    refuses: ['precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(UpdateAgentDto, { representation })) dto: UpdateAgentDto,
  ): Promise<Representation> {
    return this.agents.update(me, id, dto);
  }

  @Delete(':id')
  @Operation('agents_delete', {
    summary: 'Delete an agent',
    description:
      'Revokes the access tokens of the agent and removes it from its organization. Its work is kept under its name.',
    path,
    answer: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@Me() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.agents.delete(me, id);
  }
}
