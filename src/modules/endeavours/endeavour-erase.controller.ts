import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { AcceptedOperation } from '../../platform/http/accepted-operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { CONFIRM, readConfirm } from '../../platform/http/confirm.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import { TransactionalDelete } from '../../platform/http/transactional-routes.js';
import { LongRunning, startedOperation } from '../operations/long-running.js';
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
      'Permanently deletes the endeavour with its tasks, demands, artifacts, comments, approvals, messages, ' +
      'rituals, policies and their history. A single event, endeavour.deleted, records the deletion. This ' +
      'cannot be undone or canceled.',
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
}
