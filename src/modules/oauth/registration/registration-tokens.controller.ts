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
import { CreateRegistrationTokenDto } from './registration-token.dto.js';
import { registrationTokenList } from './registration-token.list.js';
import { freshRegistrationToken } from './registration-token.schemas.js';
import { registrationTokenView } from './registration-token.view.js';
import { RegistrationTokensService, type FreshRegistrationToken } from './registration-tokens.service.js';

const representation = Object.keys(registrationTokenView.fields);

@WithoutDryRun(true)
@ApiTags('Identity')
@Controller('oauth-registration-tokens')
export class RegistrationTokensController {
  constructor(private readonly tokens: RegistrationTokensService) {}

  @Get()
  @Operation('oauth_registration_tokens_list', {
    summary: 'List registration tokens (admin)',
    description:
      'Returns the tokens with which programs of others can register themselves (`POST /oauth/register`, RFC 7591).',
    list: registrationTokenList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.tokens.list(me, query);
  }

  @TransactionalPost()
  @SecretProperties(['token'])
  @Operation('oauth_registration_tokens_create', {
    summary: 'Create a registration token (admin)',
    description:
      'Creates an initial access token (RFC 7591) for `POST /oauth/register`, which is valid for 90 days. Its secret is returned ' +
      'only once. There can be 20 (409 `too_many_tokens`).',
    status: 201,
    createdIn: null,
    body: CreateRegistrationTokenDto,
    response: freshRegistrationToken,
    refuses: ['conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateRegistrationTokenDto, { representation })) dto: CreateRegistrationTokenDto,
  ): Promise<FreshRegistrationToken> {
    return this.tokens.create(me, dto);
  }

  @TransactionalDelete(':id')
  @Operation('oauth_registration_tokens_delete', {
    summary: 'Delete a registration token (admin)',
    description:
      'The token is invalid on every replica before the response is sent. Programs that were registered with it stay.',
    path: { id: 'registration_token' },
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('registration_token')) id: string): Promise<Deleted> {
    return this.tokens.delete(me, id);
  }
}
