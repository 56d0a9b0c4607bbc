import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { SecretProperties } from '../../platform/http/marks.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Delete, Patch, Post } from '../../platform/http/routes.js';
import { Fields } from '../../platform/http/selected-fields.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
import { CreateTokenDto, RotateTokenDto, UpdateTokenDto } from './token.dto.js';
import { freshToken } from './token.schemas.js';
import { tokenList } from './token.list.js';
import { tokenView } from './token.view.js';
import { TokensService, type FreshToken } from './tokens.service.js';

const Id = () => Param('id', bodies.PathId('access_token'));
const path = { id: 'access_token' } as const;
const representation = Object.keys(tokenView.fields);

@ApiTags('Auth')
@Controller('auth/tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Operation('auth_tokens_list', {
    summary: 'List access tokens',
    description: 'Your own that you have not deleted, with when and from where each was used last.',
    list: tokenList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.tokens.list(me, query);
  }

  @Post()
  @SecretProperties(['token'])
  @Operation('auth_tokens_create', {
    summary: 'Create an access token',
    description:
      'For a program that acts as you: any operation that its scopes reach takes it as `Authorization: Bearer`. It never ' +
      'has more rights than you have at that moment, ends with your account and with a reset of your password, and is ' +
      'shown this once. Restricted to an organization or endeavour, it has no rights of an administrator, and nothing ' +
      'outside exists for it. At most 50 at a time (409 `too_many_tokens`).',
    status: 201,
    body: CreateTokenDto,
    answer: freshToken,
    refuses: ['conflict'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateTokenDto, { representation })) dto: CreateTokenDto,
  ): Promise<FreshToken> {
    return this.tokens.create(me, dto);
  }

  @Get(':id')
  @Operation('auth_tokens_get', { summary: 'Get an access token', path, answer: tokenView })
  get(@Me() me: Caller, @Id() id: string, @Fields(tokenView) fields?: FieldNames): Promise<Representation> {
    return this.tokens.get(me, id, fields);
  }

  @Patch(':id')
  @Operation('auth_tokens_update', {
    summary: 'Rename an access token',
    description: 'A merge patch of its name. What it may do is fixed; make another one for that.',
    path,
    body: UpdateTokenDto,
    answer: tokenView,
    refuses: ['precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(UpdateTokenDto, { representation })) dto: UpdateTokenDto,
  ): Promise<Representation> {
    return this.tokens.update(me, id, dto);
  }

  @Post(':id/rotate')
  @SecretProperties(['token'])
  @Operation('auth_tokens_rotate', {
    summary: 'Rotate an access token',
    description: 'A new secret, shown this once. The old one works for `overlap` more seconds. 409 `token_expired`.',
    path,
    body: RotateTokenDto,
    bodyOptional: true,
    answer: freshToken,
    refuses: ['conflict', 'precondition_failed'],
  })
  rotate(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(RotateTokenDto)) dto: RotateTokenDto,
  ): Promise<FreshToken> {
    return this.tokens.rotate(me, id, dto);
  }

  @Delete(':id')
  @Operation('auth_tokens_delete', {
    summary: 'Delete an access token',
    description: 'It is worth nothing, everywhere, when the answer leaves.',
    path,
    answer: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@Me() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.tokens.delete(me, id);
  }
}
