import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { loggedIn } from '../auth/auth.schemas.js';
import type { LoggedIn } from '../auth/login.service.js';
import { CreatePasskeyDto, PasskeyLoginDto, UpdatePasskeyDto } from './passkey.dto.js';
import { passkeyList } from './passkey.list.js';
import { PasskeyProofs, type CreationOptions, type RequestOptions } from './passkey-proofs.js';
import { creationOptions, requestOptionsSchema } from './passkey.schemas.js';
import { passkeyView } from './passkey.view.js';
import { PasskeysService } from './passkeys.service.js';

const Id = () => Param('id', bodies.PathId('passkey'));
const path = { id: 'passkey' } as const;
const representation = Object.keys(passkeyView.fields);

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly proofs: PasskeyProofs,
  ) {}

  @Get()
  @Operation('auth_passkeys_list', {
    summary: 'List passkeys',
    description: 'Returns your passkeys, at most ten.',
    list: passkeyList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.passkeys.list(me, query);
  }

  @TransactionalPost('options')
  @Operation('auth_passkeys_options_create', {
    summary: 'Begin to add a passkey',
    description:
      'Returns what `navigator.credentials.create` takes (`PublicKeyCredential.parseCreationOptionsFromJSON`). The ' +
      'challenge is valid in this session, once, for five minutes.',
    response: creationOptions,
    refuses: ['conflict'],
  })
  options(@CurrentCaller() me: Caller): Promise<CreationOptions> {
    return this.proofs.creationOptions(me);
  }

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_passkeys_create', {
    summary: 'Add a passkey',
    description:
      'Adds what `navigator.credentials.create` has returned. The passkey then signs you in without a password, as ' +
      'both factors. You can have at most ten (409 `too_many_passkeys`).',
    status: 201,
    body: CreatePasskeyDto,
    response: passkeyView,
    refuses: ['verification_failed', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreatePasskeyDto, { representation })) dto: CreatePasskeyDto,
  ): Promise<Representation> {
    return this.passkeys.create(me, dto);
  }

  @TransactionalPost('login/options')
  @OwnTransactions(true)
  @Operation('auth_passkeys_login_options_create', {
    summary: 'Begin to sign in with a passkey',
    description:
      'Returns what `navigator.credentials.get` takes (`PublicKeyCredential.parseRequestOptionsFromJSON`), the same for ' +
      'everybody. The challenge is valid once, for five minutes.',
    response: requestOptionsSchema,
    refuses: ['conflict'],
  })
  loginOptions(): Promise<RequestOptions> {
    return this.proofs.loginOptions();
  }

  @TransactionalPost('login')
  @OwnTransactions(true)
  @SecretProperties(['token'])
  @Operation('auth_passkeys_login', {
    summary: 'Sign in with a passkey',
    description: 'Signs in with what `navigator.credentials.get` has returned. Every failure gets the same error.',
    body: PasskeyLoginDto,
    response: loggedIn,
    refuses: ['invalid_credentials', 'account_suspended', 'conflict', 'forbidden'],
  })
  login(@Body(bodies.CreateBody(PasskeyLoginDto)) { credential }: PasskeyLoginDto): Promise<LoggedIn> {
    return this.proofs.login(credential);
  }

  @Get(':id')
  @Operation('auth_passkeys_get', { summary: 'Get passkey', path, resource: passkeyView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(passkeyView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.passkeys.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('auth_passkeys_update', {
    summary: 'Rename passkey',
    description: 'Updates the name (JSON merge patch).',
    path,
    body: UpdatePasskeyDto,
    response: passkeyView,
    refuses: ['precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdatePasskeyDto, { representation })) dto: UpdatePasskeyDto,
  ): Promise<Representation> {
    return this.passkeys.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('auth_passkeys_delete', {
    summary: 'Remove passkey',
    description:
      'Removes the passkey and ends all other sessions of the account. The only way to sign in cannot be removed (409 ' +
      '`last_credential`).',
    path,
    response: DELETED,
    refuses: ['precondition_failed', 'conflict'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.passkeys.delete(me, id);
  }
}
