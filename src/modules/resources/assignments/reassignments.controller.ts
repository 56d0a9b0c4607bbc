import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { exactly } from '../../../platform/http/openapi/schemas.js';
import { ReassignDto } from './reassignment.dto.js';
import { ReassignmentsService, type Reassigned } from './reassignments.service.js';

const reassigned = exactly({
  moved: { type: 'integer', description: 'The number of tasks and demands that were reassigned.' },
  skipped: {
    type: 'array',
    description: 'The endeavours in which the work was not reassigned.',
    items: exactly({
      endeavour_id: { type: 'string' },
      reason: { type: 'string', enum: ['archived', 'not_assignable'] },
    }),
  },
});

@ApiTags('Resources')
@Controller('resources/:id/reassign')
export class ReassignmentsController {
  constructor(private readonly reassignments: ReassignmentsService) {}

  @TransactionalPost()
  @Operation('resources_reassign', {
    summary: 'Reassign open work',
    description:
      'Reassigns all planned and active tasks and open demands of one resource to another in one transaction: ' +
      'your own work in all endeavours where you are a member, the work of others in endeavours where you have the ' +
      'admin role. Work in archived endeavours, and in endeavours where the new assignee cannot be assigned, is not ' +
      'reassigned; `skipped` lists these endeavours.',
    path: { id: 'resource' },
    body: ReassignDto,
    response: reassigned,
    refuses: ['forbidden', 'archived'],
  })
  reassign(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('resource')) id: string,
    @Body(bodies.CreateBody(ReassignDto)) dto: ReassignDto,
  ): Promise<Reassigned> {
    return this.reassignments.reassign(me, id, dto);
  }
}
