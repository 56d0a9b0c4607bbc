import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { CreateTokenDto, RotateTokenDto, UpdateTokenDto } from './token.dto.js';
import { freshToken } from './token.schemas.js';
import { tokenList } from './token.list.js';
import { tokenView } from './token.view.js';
import { TokensService, type FreshToken } from './tokens.service.js';

const Id = () => Param('id', bodies.PathId('access_token'));
const path = { id: 'access_token' } as const;
const representation = Object.keys(tokenView.fields);

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Operation('auth_tokens_list', {
    summary: 'List access tokens',
    description:
      'Returns your own access tokens, those of the agents that you manage, and those that you have created for other ' +
      'agents, with the time and address of their last use.',
    list: tokenList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.tokens.list(me, query);
  }

  @TransactionalPost()
  @SecretProperties(['token'])
  @Operation('auth_tokens_create', {
    summary: 'Create access token',
    description:
      'Creates a token for a program that acts on your behalf. Send it as `Authorization: Bearer` to any ' +
      'operation that its scopes allow. The token never has more rights than you have at that moment. It ' +
      'is revoked when your password is changed or reset and when your account is closed. Its secret is returned only once. A token ' +
      'that is restricted to an organization or endeavour has no administrator rights and cannot see anything ' +
      'outside it. With `kind: calendar`, the token is part of the address of the calendar of an endeavour and ' +
      'opens nothing else. You can have at most 50 tokens (409 `too_many_tokens`).',
    status: 201,
    body: CreateTokenDto,
    response: freshToken,
    refuses: ['conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateTokenDto, { representation })) dto: CreateTokenDto,
  ): Promise<FreshToken> {
    return this.tokens.create(me, dto);
  }

  @Get(':id')
  @Operation('auth_tokens_get', { summary: 'Get access token', path, resource: tokenView })
  get(@CurrentCaller() me: Caller, @Id() id: string, @Fields(tokenView) fields?: FieldNames): Promise<Representation> {
    return this.tokens.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('auth_tokens_update', {
    summary: 'Rename access token',
    description:
      'Updates the name (JSON merge patch). The rights of a token cannot be changed; create a new token instead.',
    path,
    body: UpdateTokenDto,
    response: tokenView,
    refuses: ['precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateTokenDto, { representation })) dto: UpdateTokenDto,
  ): Promise<Representation> {
    return this.tokens.update(me, id, dto);
  }

  @TransactionalPost(':id/rotate')
  @SecretProperties(['token'])
  @Operation('auth_tokens_rotate', {
    summary: 'Rotate access token',
    description:
      'Replaces the secret; the new secret is returned only once. The old secret works for `overlap` more ' +
      'seconds; for a token that another user created, `overlap` must be 0. The response is 409 `token_expired` if the token ' +
      'has expired.',
    path,
    body: RotateTokenDto,
    bodyOptional: true,
    response: freshToken,
    refuses: ['conflict', 'precondition_failed'],
  })
  rotate(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(RotateTokenDto)) dto: RotateTokenDto,
  ): Promise<FreshToken> {
    return this.tokens.rotate(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('auth_tokens_delete', {
    summary: 'Delete access token',
    description: 'The token is invalid on every replica before the response is sent.',
    path,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.tokens.delete(me, id);
  }
}
