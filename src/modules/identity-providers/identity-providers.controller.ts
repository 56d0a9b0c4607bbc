import { Body, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { OwnTransactions, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { CreateIdentityProviderDto, UpdateIdentityProviderDto } from './identity-provider.dto.js';
import { identityProviderList } from './identity-provider.list.js';
import { identityProviderView } from './identity-provider.view.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { IssuerLookup } from './protocol/issuer-lookup.js';
import { providerTest } from './sign-in/oidc.schemas.js';
import { ProviderTests, type ProviderTest } from './provider-tests.js';

const Id = () => Param('id', bodies.PathId('identity_provider'));
const path = { id: 'identity_provider' } as const;
const representation = Object.keys(identityProviderView.fields);

@WithoutDryRun(true)
@ApiTags('Identity')
@Controller('identity-providers')
export class IdentityProvidersController {
  constructor(
    private readonly providers: IdentityProvidersService,
    private readonly tests: ProviderTests,
  ) {}

  @Get()
  @Operation('identity_providers_list', {
    summary: 'List identity providers',
    description: 'Returns the providers of the organizations that you own.',
    list: identityProviderList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.providers.list(me, query);
  }

  @TransactionalPost()
  @UseInterceptors(IssuerLookup)
  @Operation('identity_providers_create', {
    summary: 'Create an identity provider',
    description:
      'Lets people sign in with an OpenID provider. Register this service there first, with the address ' +
      '/auth/callback/{id} of the service once you know the id. An organization can have at most 20 (409 ' +
      '`too_many_providers`).',
    status: 201,
    body: CreateIdentityProviderDto,
    response: identityProviderView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateIdentityProviderDto, { representation })) dto: CreateIdentityProviderDto,
  ): Promise<Representation> {
    return this.providers.create(me, dto);
  }

  @Get(':id')
  @Operation('identity_providers_get', { summary: 'Get an identity provider', path, resource: identityProviderView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(identityProviderView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.providers.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('identity_providers_update', {
    summary: 'Update an identity provider',
    description:
      'JSON merge patch. The issuer and the organization stay: what another provider calls people names other people.',
    path,
    body: UpdateIdentityProviderDto,
    response: identityProviderView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateIdentityProviderDto, { representation })) dto: UpdateIdentityProviderDto,
  ): Promise<Representation> {
    return this.providers.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('identity_providers_delete', {
    summary: 'Delete an identity provider',
    description:
      'Nobody can sign in with it any more. Sessions stay until they end, and people without another way to sign in ' +
      'can set a password with `POST /auth/forgot-password`.',
    path,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.providers.delete(me, id);
  }

  @TransactionalPost(':id/test')
  @OwnTransactions(true)
  @Operation('identity_providers_test', {
    summary: 'Test an identity provider',
    description: 'Reads its metadata and keys, and compares the clocks. Changes nothing.',
    path,
    response: providerTest,
  })
  test(@CurrentCaller() me: Caller, @Id() id: string): Promise<ProviderTest> {
    return this.tests.run(me, id);
  }
}
