import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { readQuery, type QueryReaders } from '../../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { CURSOR } from '../../../platform/listing/parameters.js';
import { parseFlag, type Parsed } from '../../../platform/http/requests/parsed.js';
import { WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { assignmentSchema, dodStatusDocument, unassignedSchema } from '../endeavour-dod.schemas.js';
import { EndeavourDodService, type DodStatus } from '../endeavour-dod.service.js';
import { AssignPolicyDto } from './policy-assignment.dto.js';
import { PolicyAssignmentsService } from './policy-assignments.service.js';

const Id = () => Param('id', bodies.PathId('endeavour'));
const path = { id: 'endeavour' } as const;
const PAGING = {
  limit: {
    description: 'With tasks=not_met: the number of active tasks to check per page, 1 to 200.',
    schema: { type: 'integer', minimum: 1 },
  },
  cursor: { description: 'With tasks=not_met: meta.next_cursor of the previous page.', schema: CURSOR },
};
const parseUnmet = (raw: string): Parsed =>
  raw === 'not_met'
    ? { value: raw }
    : { code: 'invalid_value', message: 'tasks must be not_met.', allowed: ['not_met'] };
const parameters: QueryReaders = { dry_run: parseFlag };

@ApiTags('Dod')
@Controller('endeavours/:id')
export class PolicyAssignmentsController {
  constructor(
    private readonly assignments: PolicyAssignmentsService,
    private readonly dod: EndeavourDodService,
  ) {}

  @TransactionalPost('dod-policy')
  @WithoutDryRun(true)
  @Operation('endeavours_dod_policy_set', {
    summary: 'Assign DoD policy to endeavour',
    description: 'Replaces the assigned policy. The endorsements of the replaced policy end.',
    path,
    query: {
      dry_run: {
        description:
          'Set to true for a preview: nothing is changed, and the response lists the open tasks that would fail and ' +
          'the endorsements that would end.',
        schema: { type: 'boolean' },
      },
    },
    body: AssignPolicyDto,
    response: assignmentSchema,
    refuses: ['archived', 'precondition_failed'],
  })
  assign(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @QueryParameters() query: RawQuery,
    @Body(bodies.CreateBody(AssignPolicyDto)) dto: AssignPolicyDto,
  ): Promise<object> {
    const isDryRun = readQuery(query, parameters).get('dry_run') === true;
    return this.assignments.assign(me, id, dto.policy_id, isDryRun);
  }

  @TransactionalDelete('dod-policy')
  @Operation('endeavours_dod_policy_remove', {
    summary: 'Unassign DoD policy from endeavour',
    description: 'Ends the endorsements of the policy. Has no effect if no policy is assigned.',
    path,
    response: unassignedSchema,
    refuses: ['archived', 'precondition_failed'],
  })
  unassign(@CurrentCaller() me: Caller, @Id() id: string): Promise<object> {
    return this.assignments.unassign(me, id);
  }

  @Get('dod-status')
  @Operation('endeavours_dod_status_get', {
    summary: 'Get endeavour DoD status',
    description:
      'Returns the policy, the number of endorsements, the members without one, and the number of active tasks ' +
      'that meet the policy (at most 1,000 tasks are checked). With tasks=not_met it lists the active tasks ' +
      'that do not meet the policy, with their unmet conditions. Each page checks `limit` active tasks, so it ' +
      'can be shorter or empty although more pages follow. Without tasks=not_met there are no pages, and ' +
      '`limit` and `cursor` are refused.',
    path,
    query: {
      tasks: {
        description: 'Set to not_met to list these tasks instead.',
        schema: { type: 'string', enum: ['not_met'] },
      },
      ...PAGING,
    },
    document: dodStatusDocument,
  })
  status(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() raw: RawQuery): Promise<DodStatus | Page> {
    const { tasks, ...paging } = raw.query;
    if (tasks === undefined || tasks === '') {
      readQuery({ ...raw, query: paging }, {});
      return this.dod.status(me, id);
    }
    readQuery({ ...raw, query: { tasks } }, { tasks: parseUnmet });
    return this.dod.unmet(me, id, { ...raw, query: paging });
  }
}
