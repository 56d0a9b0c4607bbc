import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { LongRunning, startedOperation } from '../../operations/long-running.js';
import { BulkTasksDto } from './bulk.dto.js';
import { BulkTasksService } from './bulk.service.js';

@ApiTags('Tasks')
@Controller('tasks')
export class BulkTasksController {
  constructor(private readonly bulk: BulkTasksService) {}

  @TransactionalPost('bulk')
  @LongRunning()
  @Operation('tasks_bulk', {
    summary: 'Change many tasks',
    description:
      'Starts an operation that patches every task that currently matches the filter, up to 10,000. The checks and events ' +
      'are those of `PATCH /tasks/{id}`; refused tasks stay unchanged. The result contains the counts `changed`, ' +
      '`unchanged` and `refused`, and in `refusals` the first 1,000 refused tasks with code, reason and message, also ' +
      'if the operation is canceled or fails. With `dry_run` the tasks are only read, without locks, and the result ' +
      'reports what would happen.',
    status: 202,
    body: BulkTasksDto,
    response: startedOperation,
    refuses: ['archived', 'conflict'],
  })
  start(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(BulkTasksDto)) dto: BulkTasksDto,
  ): Promise<AcceptedOperation> {
    return this.bulk.start(me, dto);
  }
}
