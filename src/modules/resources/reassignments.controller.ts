import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { Post } from '../../platform/http/routes.js';
import { exactly } from '../../platform/http/schemas.js';
import { ReassignDto } from './reassignment.dto.js';
import { Reassignments, type Reassigned } from './reassignments.service.js';

const reassigned = exactly({
  moved: { type: 'integer', description: 'How many tasks and demands changed hands.' },
  skipped: {
    type: 'array',
    description: 'Endeavours in which the work stays where it is.',
    items: exactly({
      endeavour_id: { type: 'string' },
      reason: { type: 'string', enum: ['archived', 'not_assignable'] },
    }),
  },
});

@ApiTags('Resources')
@Controller('resources/:id/reassign')
export class ReassignmentsController {
  constructor(private readonly reassignments: Reassignments) {}

  @Post()
  @Operation('resources_reassign', {
    summary: 'Hand over open work',
    description:
      'Gives the planned and active tasks and the open demands of somebody to somebody else, all at once: of your own ' +
      'wherever you are a member, of others in the endeavours where you are admin. Where the other one cannot be ' +
      'given work, and in archived endeavours, it stays; `skipped` says so.',
    path: { id: 'resource' },
    body: ReassignDto,
    answer: reassigned,
    refuses: ['forbidden', 'archived'],
  })
  reassign(
    @Me() me: Caller,
    @Param('id', bodies.PathId('resource')) id: string,
    @Body(bodies.Create(ReassignDto)) dto: ReassignDto,
  ): Promise<Reassigned> {
    return this.reassignments.reassign(me, id, dto);
  }
}
