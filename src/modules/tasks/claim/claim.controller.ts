import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Nothing } from '../../../platform/http/responses/nothing.js';
import { WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { viewSchema } from '../../../platform/http/openapi/schemas.js';
import { taskView } from '../task.view.js';
import { ClaimTaskDto } from './claim.dto.js';
import { ClaimService } from './claim.service.js';

@WithoutDryRun(true)
@ApiTags('Tasks')
@Controller('tasks')
export class ClaimController {
  constructor(private readonly claims: ClaimService) {}

  @TransactionalPost('claim')
  @Operation('tasks_claim', {
    summary: 'Claim the next task',
    description:
      'Assigns the next ready and unassigned task of the endeavour to you: overdue ones first, then by ' +
      '`effective_priority`, highest first, then by `rank`. Concurrent callers never receive the ' +
      'same task. `data` is null if there is no such task; this response is not stored for an Idempotency-Key.',
    body: ClaimTaskDto,
    response: { anyOf: [viewSchema(taskView), { type: 'null' }] },
    refuses: ['archived'],
  })
  claim(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(ClaimTaskDto)) dto: ClaimTaskDto,
  ): Promise<Representation | Nothing> {
    return this.claims.claim(me, dto);
  }
}
