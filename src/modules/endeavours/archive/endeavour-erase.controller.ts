import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { CONFIRM, readConfirm } from '../../../platform/http/requests/confirm.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { TransactionalDelete } from '../../../platform/http/requests/transactional-routes.js';
import { LongRunning, startedOperation } from '../../operations/long-running.js';
import { EndeavourEraseService } from './endeavour-erase.service.js';

@ApiTags('Endeavours')
@Controller('endeavours')
export class EndeavourEraseController {
  constructor(private readonly erasing: EndeavourEraseService) {}

  @TransactionalDelete(':id')
  @LongRunning()
  @Operation('endeavours_delete', {
    summary: 'Erase archived endeavour',
    description:
      'Requests the erasure of the endeavour, which begins after 14 days (`ERASURE_DAYS`): `erasure_at` is its time, and all owners are told by mail. ' +
      'Until then, every owner can stop it with DELETE on `/erasure`, or by restoring the endeavour. ' +
      'Then the endeavour is deleted for good with its tasks, demands, artifacts, comments, approvals, messages, ' +
      'rituals, policies and their history. A single event, endeavour.deleted, records the deletion.',
    status: 202,
    path: { id: 'endeavour' },
    query: CONFIRM,
    response: startedOperation,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  erase(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<AcceptedOperation> {
    return this.erasing.erase(me, id, readConfirm(query));
  }

  @TransactionalDelete(':id/erasure')
  @Operation('endeavours_erasure_delete', {
    summary: 'Stop erasure of endeavour',
    description: 'Stops the erasure before it begins. The endeavour stays archived, and all owners are told by mail.',
    path: { id: 'endeavour' },
    response: DELETED,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  async stop(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('endeavour')) id: string): Promise<Deleted> {
    await this.erasing.stop(me, id);
    return { id, deleted: true };
  }
}
