import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { readQuery, type QueryReaders } from '../../platform/http/plain-query.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { parseFlag } from '../../platform/listing/filters.js';
import { Delete, Post } from '../../platform/http/routes.js';
import { assignmentSchema, dodStatusSchema, unassignedSchema } from './endeavour-dod.schemas.js';
import { EndeavourDod, type DodStatus } from './endeavour-dod.service.js';
import { AssignPolicyDto } from './policy-assignment.dto.js';
import { PolicyAssignments } from './policy-assignments.service.js';

const Id = () => Param('id', bodies.PathId('endeavour'));
const path = { id: 'endeavour' } as const;
const parameters: QueryReaders = { dry_run: parseFlag };

@ApiTags('DoD')
@Controller('endeavours/:id')
export class PolicyAssignmentsController {
  constructor(
    private readonly assignments: PolicyAssignments,
    private readonly dod: EndeavourDod,
  ) {}

  @Post('dod-policy')
  @Operation('dod_policy_assign', {
    summary: 'Assign DoD policy to endeavour',
    description: 'Replaces the present one; another policy ends the endorsements of the old one.',
    path,
    query: {
      dry_run: {
        description: 'Changes nothing, and says which open tasks would fail and which endorsements would lapse.',
        schema: { type: 'string', enum: ['true', 'false', '1', '0', ''] },
      },
    },
    body: AssignPolicyDto,
    answer: assignmentSchema,
    refuses: ['archived', 'precondition_failed'],
  })
  assign(
    @Me() me: Caller,
    @Id() id: string,
    @Query() query: RawQuery,
    @Body(bodies.Create(AssignPolicyDto)) dto: AssignPolicyDto,
  ): Promise<object> {
    const isDryRun = readQuery(query, parameters).get('dry_run') === true;
    return this.assignments.assign(me, id, dto.policy_id, isDryRun);
  }

  @Delete('dod-policy')
  @Operation('dod_policy_unassign', {
    summary: 'Unassign DoD policy from endeavour',
    description: 'Ends its endorsements. Where none is assigned nothing happens.',
    path,
    answer: unassignedSchema,
    refuses: ['archived', 'precondition_failed'],
  })
  unassign(@Me() me: Caller, @Id() id: string): Promise<object> {
    return this.assignments.unassign(me, id);
  }

  @Get('dod-status')
  @Operation('dod_status', {
    summary: 'Get endeavour DoD status',
    description: 'Its policy, who endorsed it and who did not, and how many of the active tasks meet it.',
    path,
    answer: dodStatusSchema,
  })
  status(@Me() me: Caller, @Id() id: string): Promise<DodStatus> {
    return this.dod.status(me, id);
  }
}
