import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { SecretProperties, WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../../platform/http/requests/transactional-routes.js';
import { CreateOauthClientDto, UpdateOauthClientDto } from './oauth-client.dto.js';
import { oauthClientList } from './oauth-client.list.js';
import { freshOauthClient } from './oauth-client.schemas.js';
import { oauthClientView } from './oauth-client.view.js';
import { OauthClientsService, type FreshOauthClient } from './oauth-clients.service.js';

const Id = () => Param('id', bodies.PathId('oauth_client'));
const path = { id: 'oauth_client' } as const;
const representation = Object.keys(oauthClientView.fields);

@WithoutDryRun(true)
@ApiTags('Identity')
@Controller('oauth-clients')
export class OauthClientsController {
  constructor(private readonly clients: OauthClientsService) {}

  @Get()
  @Operation('oauth_clients_list', {
    summary: 'List registered programs (admin)',
    description:
      'Returns the programs of others that are registered here (OAuth 2.1), also those that registered themselves.',
    list: oauthClientList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.clients.list(me, query);
  }

  @TransactionalPost()
  @SecretProperties(['client_secret'])
  @Operation('oauth_clients_create', {
    summary: 'Register a program (admin)',
    description:
      'Lets a program ask people for access (OAuth 2.1). Its id is its `client_id`. People are asked each time, whoever ' +
      'registered it.',
    status: 201,
    body: CreateOauthClientDto,
    response: freshOauthClient,
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateOauthClientDto, { representation })) dto: CreateOauthClientDto,
  ): Promise<FreshOauthClient> {
    return this.clients.create(me, dto);
  }

  @Get(':id')
  @Operation('oauth_clients_get', { summary: 'Get a registered program (admin)', path, resource: oauthClientView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(oauthClientView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.clients.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('oauth_clients_update', {
    summary: 'Update a registered program (admin)',
    description:
      'JSON merge patch. A change of `redirect_uris` or `grant_types` ends the requests of the program that wait for a person, ' +
      'and its codes that are not redeemed yet. Grants stay.',
    path,
    body: UpdateOauthClientDto,
    response: oauthClientView,
    refuses: ['precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateOauthClientDto, { representation })) dto: UpdateOauthClientDto,
  ): Promise<Representation> {
    return this.clients.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('oauth_clients_delete', {
    summary: 'Delete a registered program (admin)',
    description:
      'What people have granted to it ends: its tokens are invalid on every replica before the response is sent.',
    path,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.clients.delete(me, id);
  }
}
