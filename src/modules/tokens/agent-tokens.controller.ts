import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { SecretProperties } from '../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateTokenDto } from './token.dto.js';
import { freshToken } from './token.schemas.js';
import { tokenView } from './token.view.js';
import { TokensService, type FreshToken } from './tokens.service.js';

const representation = Object.keys(tokenView.fields);

@ApiTags('Users')
@Controller('agents')
export class AgentTokensController {
  constructor(private readonly tokens: TokensService) {}

  @TransactionalPost(':id/tokens')
  @SecretProperties(['token'])
  @Operation('agents_tokens_create', {
    summary: 'Create access token for an agent',
    description:
      'Like POST /auth/tokens. You and the manager of the agent see the token in the list of access tokens, and can ' +
      'delete it. If an admin who does not manage the agent creates the token, it only works in the organization of the ' +
      'agent, and only as long as the admin keeps that role.',
    status: 201,
    createdIn: null,
    path: { id: 'user' },
    body: CreateTokenDto,
    response: freshToken,
    refuses: ['conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('user')) id: string,
    @Body(bodies.CreateBody(CreateTokenDto, { representation })) dto: CreateTokenDto,
  ): Promise<FreshToken> {
    return this.tokens.createForAgent(me, id, dto);
  }
}
