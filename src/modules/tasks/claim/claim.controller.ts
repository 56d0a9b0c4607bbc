import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/caller.js';
import { CurrentCaller } from '../../../access/current-caller.js';
import { Operation } from '../../../access/operation.js';
import type { Representation } from '../../../platform/database/view.js';
import * as bodies from '../../../platform/http/body.pipe.js';
import type { Nothing } from '../../../platform/http/nothing.js';
import { TransactionalPost } from '../../../platform/http/transactional-routes.js';
import { viewSchema } from '../../../platform/http/schemas.js';
import { taskView } from '../task.view.js';
import { ClaimTaskDto } from './claim.dto.js';
import { ClaimService } from './claim.service.js';

@ApiTags('Tasks')
@Controller('tasks')
export class ClaimController {
  constructor(private readonly claims: ClaimService) {}

  @TransactionalPost('claim')
  @Operation('tasks_claim', {
    summary: 'Claim the next task',
    description:
      'Assigns the best task of the endeavour that is ready and unassigned to you: by due date, then by the priority of ' +
      'its demand (medium where it has none), then the oldest. However many ask at once, each task is given once. ' +
      '`data` is null where there is none; that answer is not repeated under an idempotency key.',
    body: ClaimTaskDto,
    answer: { anyOf: [viewSchema(taskView), { type: 'null' }] },
    refuses: ['archived'],
  })
  claim(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(ClaimTaskDto)) dto: ClaimTaskDto,
  ): Promise<Representation | Nothing> {
    return this.claims.claim(me, dto);
  }
}
