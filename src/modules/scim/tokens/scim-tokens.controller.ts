import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { SecretProperties, WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { CreateScimTokenDto } from './scim-token.dto.js';
import { scimTokenList } from './scim-token.list.js';
import { freshScimToken } from './scim-token.schemas.js';
import { scimTokenView } from './scim-token.view.js';
import { ScimTokensService, type FreshScimToken } from './scim-tokens.service.js';

const representation = Object.keys(scimTokenView.fields);
const Id = () => Param('id', bodies.PathId('organization'));
const path = { id: 'organization' } as const;

@WithoutDryRun(true)
@ApiTags('Identity')
@Controller('organizations/:id/scim-tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokensService) {}

  @Get()
  @Operation('organizations_scim_tokens_list', {
    summary: 'List provisioning tokens',
    description: 'Returns the tokens with which the directory of the organization keeps the accounts of its people.',
    path,
    list: scimTokenList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.tokens.list(me, id, query);
  }

  @TransactionalPost()
  @SecretProperties(['token'])
  @Operation('organizations_scim_tokens_create', {
    summary: 'Create a provisioning token',
    description:
      'Creates a token for the directory of the organization, which opens only /scim/v2/{id} and is valid for 365 days. It ' +
      'belongs to the organization and survives the person who creates it. Its secret is returned only once. An ' +
      'organization can have two (409 `too_many_tokens`), to replace one by the other.',
    status: 201,
    createdIn: null,
    path,
    body: CreateScimTokenDto,
    response: freshScimToken,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(CreateScimTokenDto, { representation })) dto: CreateScimTokenDto,
  ): Promise<FreshScimToken> {
    return this.tokens.create(me, id, dto);
  }

  @TransactionalDelete(':token_id')
  @Operation('organizations_scim_tokens_delete', {
    summary: 'Delete a provisioning token',
    description: 'The token is invalid on every replica before the response is sent.',
    path: { id: 'organization', token_id: 'scim_token' },
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Param('token_id', bodies.PathId('scim_token')) tokenId: string,
  ): Promise<Deleted> {
    return this.tokens.delete(me, id, tokenId);
  }
}
