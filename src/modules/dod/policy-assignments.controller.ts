import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { readQuery, type QueryReaders } from '../../platform/http/plain-query.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import type { Page } from '../../platform/http/page.js';
import type { Parsed } from '../../platform/listing/definition.js';
import { CURSOR } from '../../platform/listing/parameters.js';
import { parseFlag } from '../../platform/listing/filters.js';
import { Delete, Post } from '../../platform/http/routes.js';
import { assignmentSchema, dodStatusDocument, unassignedSchema } from './endeavour-dod.schemas.js';
import { EndeavourDod, type DodStatus } from './endeavour-dod.service.js';
import { AssignPolicyDto } from './policy-assignment.dto.js';
import { PolicyAssignments } from './policy-assignments.service.js';

const Id = () => Param('id', bodies.PathId('endeavour'));
const path = { id: 'endeavour' } as const;
const PAGING = {
  limit: {
    description: 'With tasks=not_met: how many active tasks to judge, 1 to 200.',
    schema: { type: 'integer', minimum: 1 },
  },
  cursor: { description: 'With tasks=not_met: goes on where meta.next_cursor left off.', schema: CURSOR },
};
const parseUnmet = (raw: string): Parsed =>
  raw === 'not_met'
    ? { value: raw }
    : { code: 'invalid_value', message: 'tasks must be not_met.', allowed: ['not_met'] };
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
        schema: { type: 'boolean' },
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
    description:
      'Its policy, how many endorsed it and who did not, and how many of the active tasks meet it (1,000 are judged at ' +
      'most). With tasks=not_met the active tasks that do not meet it, each with what it lacks: a page holds those of ' +
      '`limit` active tasks, so it may be shorter, or empty, though more follow.',
    path,
    query: {
      tasks: { description: 'not_met lists those tasks instead.', schema: { type: 'string', enum: ['not_met'] } },
      ...PAGING,
    },
    document: dodStatusDocument,
  })
  status(@Me() me: Caller, @Id() id: string, @Query() raw: RawQuery): Promise<DodStatus | Page> {
    const { tasks, ...paging } = raw.query;
    if (tasks === undefined || tasks === '') {
      readQuery({ ...raw, query: paging }, {});
      return this.dod.status(me, id);
    }
    readQuery({ ...raw, query: { tasks } }, { tasks: parseUnmet });
    return this.dod.unmet(me, id, { ...raw, query: paging });
  }
}
