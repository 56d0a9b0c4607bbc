import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { OwnTransactions, WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { IdentitiesService } from './identities.service.js';
import { identityList } from './identity.list.js';
import { identityView } from './identity.view.js';
import { FinishSignInDto } from '../sign-in/oidc.dto.js';

const Id = () => Param('id', bodies.PathId('identity'));
const path = { id: 'identity' } as const;
const representation = Object.keys(identityView.fields);

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/identities')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  @Get()
  @Operation('auth_identities_list', {
    summary: 'List identities',
    description: 'Returns what the identity providers call you: with these, you can sign in.',
    list: identityList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.identities.list(me, query);
  }

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_identities_create', {
    summary: 'Link an identity',
    description:
      'Links the person who has signed in at a provider with your account: begin with `POST ' +
      '/auth/oidc/{provider_id}/start`. Every answer of the provider that is not right gets the same error. 409 ' +
      '`identity_taken` if it is linked already.',
    status: 201,
    body: FinishSignInDto,
    response: identityView,
    refuses: ['verification_failed', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(FinishSignInDto, { representation })) dto: FinishSignInDto,
  ): Promise<Representation> {
    return this.identities.create(me, dto);
  }

  @Get(':id')
  @Operation('auth_identities_get', { summary: 'Get an identity', path, resource: identityView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(identityView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.identities.get(me, id, fields);
  }

  @TransactionalDelete(':id')
  @Operation('auth_identities_delete', {
    summary: 'Remove an identity',
    description:
      'You can no longer sign in with it, and all other sessions of the account end. The only way to sign in cannot be ' +
      'removed (409 `last_credential`).',
    path,
    response: DELETED,
    refuses: ['precondition_failed', 'conflict'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.identities.delete(me, id);
  }
}
