import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { exactly } from '../../platform/http/schemas.js';
import { AssignPolicyDto } from './policy-assignment.dto.js';
import { PolicyAssignments } from './policy-assignments.service.js';

const Id = () => Param('id', bodies.PathId('endeavour'));
const text = { type: 'string' };

@ApiTags('DoD')
@Controller('endeavours')
export class PolicyAssignmentsController {
  constructor(private readonly assignments: PolicyAssignments) {}

  @Post(':id/dod-policy')
  @Operation('dod_policy_assign', {
    summary: 'Assign DoD policy to endeavour',
    description: 'Replaces the present one; another policy ends the endorsements of the old one.',
    path: { id: 'endeavour' },
    body: AssignPolicyDto,
    answer: exactly({ endeavour_id: text, policy_id: text, status: { type: 'string', enum: ['assigned'] } }),
    refuses: ['archived', 'precondition_failed'],
  })
  assign(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(AssignPolicyDto)) dto: AssignPolicyDto,
  ): Promise<object> {
    return this.assignments.assign(me, id, dto.policy_id);
  }

  @Delete(':id/dod-policy')
  @Operation('dod_policy_unassign', {
    summary: 'Unassign DoD policy from endeavour',
    description: 'Ends its endorsements. Where none is assigned nothing happens.',
    path: { id: 'endeavour' },
    answer: exactly({ endeavour_id: text, status: { type: 'string', enum: ['unassigned'] } }),
    refuses: ['archived', 'precondition_failed'],
  })
  unassign(@Me() me: Caller, @Id() id: string): Promise<object> {
    return this.assignments.unassign(me, id);
  }
}
