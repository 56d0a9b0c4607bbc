import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { demandView } from '../../demands/demand.view.js';
import { DemandMovesService, MAX_TASKS } from './demand-moves.service.js';
import { MoveDemandDto } from './move-demand.dto.js';

@ApiTags('Demands')
@Controller('demands')
export class DemandMovesController {
  constructor(private readonly moves: DemandMovesService) {}

  @TransactionalPost(':id/move')
  @Operation('demands_move', {
    summary: 'Move demand to another endeavour',
    description:
      'Moves the demand, and with it all of its tasks, the open ones or none; the others stay without their demand. Each ' +
      'task has the requirements of PATCH. If one cannot move, nothing does: 409 `tasks_stay` names each one and the ' +
      `reason in \`details.tasks\`. A demand has at most ${MAX_TASKS} tasks to move (409 \`too_large\`).`,
    path: { id: 'demand' },
    body: MoveDemandDto,
    response: demandView,
    refuses: ['conflict', 'archived', 'precondition_failed'],
  })
  move(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('demand')) id: string,
    @Body(bodies.CreateBody(MoveDemandDto)) dto: MoveDemandDto,
  ): Promise<Representation> {
    return this.moves.move(me, id, dto);
  }
}
