import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { TransactionalDelete } from '../../platform/http/requests/transactional-routes.js';
import { grantList } from './grant.list.js';
import { GrantsService } from './grants.service.js';

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/grants')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Operation('auth_grants_list', {
    summary: 'List grants',
    description:
      'Returns the programs of others that you let act on your behalf (OAuth 2.1), with the time and address of their ' +
      'last use. A grant ends when its program does not use it for 30 days.',
    list: grantList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.grants.list(me, query);
  }

  @TransactionalDelete(':id')
  @Operation('auth_grants_delete', {
    summary: 'End a grant',
    description: 'The access of the program has ended on every replica before the response is sent.',
    path: { id: 'access_token' },
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('access_token')) id: string): Promise<Deleted> {
    return this.grants.delete(me, id);
  }
}
