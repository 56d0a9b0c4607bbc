import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { PREFER } from './long-running.js';
import { operationList } from './operation.list.js';
import { operationView } from './operation.view.js';
import { OperationsService } from './operations.service.js';
import { appliedPreferences, waitSeconds } from './prefer.js';

const Id = () => Param('id', bodies.PathId('operation'));
const path = { id: 'operation' } as const;

@ApiTags('Operations')
@Controller('operations')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly context: RequestContext,
  ) {}

  @Get()
  @Operation('operations_list', {
    summary: 'List operations',
    description:
      'Returns the operations that you started, and those on containers where you have the admin role. ' +
      'Operations are kept for 90 days.',
    list: operationList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.operations.list(me, query);
  }

  @Get(':id')
  @PREFER
  @Operation('operations_get', {
    summary: 'Get operation',
    description:
      'Returns the operation with its progress. result and error are null for users who cannot see the container.',
    path,
    resource: operationView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(operationView) fields?: FieldNames,
    @Headers('prefer') prefer?: string,
  ): Promise<Representation> {
    const seconds = waitSeconds(prefer);
    if (seconds > 0) this.context.setHeader('preference-applied', appliedPreferences(prefer, seconds));
    return this.operations.get(me, id, seconds, fields);
  }

  @TransactionalPost(':id/cancel')
  @Operation('operations_cancel', {
    summary: 'Cancel operation',
    description:
      'Stops the operation after the current batch; its result contains the counts so far. Archiving, restoring ' +
      'and erasing cannot be canceled (409 not_cancelable).',
    path,
    response: operationView,
    refuses: ['conflict'],
  })
  cancel(@CurrentCaller() me: Caller, @Id() id: string): Promise<Representation> {
    return this.operations.cancel(me, id);
  }
}
