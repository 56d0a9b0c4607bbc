import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { CreateAgentDto, UpdateAgentDto } from './agent.dto.js';
import { agentList } from './agent.list.js';
import { agentView } from './agent.view.js';
import { AgentsService } from './agents.service.js';

const Id = () => Param('id', bodies.PathId('user'));
const path = { id: 'user' } as const;
const representation = Object.keys(agentView.fields);

@WithoutDryRun(true)
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
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.agents.list(me, query);
  }

  @TransactionalPost()
  @Operation('agents_create', {
    summary: 'Create an agent',
    description:
      'Creates a user for a program, without e-mail address and password; it authenticates with access tokens. ' +
      'You become its manager. The agent becomes a member of the organization, never has more rights than its ' +
      'manager, and counts as the same person as its manager in reviews and votes. If the manager leaves the ' +
      'organization or loses the admin role there, the longest-standing active owner becomes the manager, and ' +
      'the access tokens that the former manager created are revoked.',
    status: 201,
    createdIn: '/users',
    body: CreateAgentDto,
    response: agentView,
    refuses: ['archived', 'tier_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateAgentDto, { representation })) dto: CreateAgentDto,
  ): Promise<Representation> {
    return this.agents.create(me, dto);
  }

  @TransactionalPatch(':id')
  @Operation('agents_update', {
    summary: 'Rename, pause or resume an agent',
    description:
      'Updates the properties that you send (JSON merge patch) and returns the agent. Only administrators can resume an ' +
      'agent that an administrator has suspended or closed (409 `suspended`).',
    path,
    body: UpdateAgentDto,
    response: agentView,
    refuses: ['conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateAgentDto, { representation })) dto: UpdateAgentDto,
  ): Promise<Representation> {
    return this.agents.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('agents_delete', {
    summary: 'Delete an agent',
    description:
      'Revokes the access tokens of the agent and removes it from every organization, endeavour and team. Its work is ' +
      'kept under its name.',
    path,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.agents.delete(me, id);
  }
}
