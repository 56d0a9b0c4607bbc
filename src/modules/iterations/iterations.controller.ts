import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, extendedSchema, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { LongRunning } from '../operations/long-running.js';
import { CloseIterationDto } from './close-iteration.dto.js';
import { IterationClosings } from './iteration-closings.service.js';
import { iterationReportSchema, type IterationReport } from './iteration-report.js';
import { IterationReports } from './iteration-reports.service.js';
import { CreateIterationDto, UpdateIterationDto } from './iteration.dto.js';
import { iterationList } from './iteration.list.js';
import { iterationView } from './iteration.view.js';
import { IterationsService } from './iterations.service.js';

const representation = Object.keys(iterationView.fields);
const closedIteration = extendedSchema('ClosedIteration', iterationView, {
  carried_over: { type: 'integer', description: 'The number of tasks and demands that were moved.' },
});
const Id = () => Param('id', bodies.PathId('iteration'));

@ApiTags('Iterations')
@Controller('iterations')
export class IterationsController {
  constructor(
    private readonly closings: IterationClosings,
    private readonly iterations: IterationsService,
    private readonly reports: IterationReports,
  ) {}

  @Get()
  @Operation('iterations_list', {
    summary: 'List iterations',
    description:
      'Iterations of the endeavours that are visible to you. Tasks and demands name theirs in `iteration_id`.',
    list: iterationList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.iterations.list(me, query);
  }

  @TransactionalPost()
  @Operation('iterations_create', {
    summary: 'Create iteration',
    status: 201,
    body: CreateIterationDto,
    response: iterationView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateIterationDto, { representation })) dto: CreateIterationDto,
  ): Promise<Representation> {
    return this.iterations.create(me, dto);
  }

  @Get(':id')
  @Operation('iterations_get', { summary: 'Get iteration', path: { id: 'iteration' }, resource: iterationView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(iterationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.iterations.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('iterations_update', {
    summary: 'Update iteration',
    description:
      'The status active starts it; only one iteration of an endeavour can be active. Tasks and demands are put into it with their own PATCH.',
    path: { id: 'iteration' },
    body: UpdateIterationDto,
    response: iterationView,
    refuses: ['archived', 'conflict', 'invalid_transition', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateIterationDto, { representation })) dto: UpdateIterationDto,
  ): Promise<Representation> {
    return this.iterations.update(me, id, dto);
  }

  @TransactionalPost(':id/close')
  @LongRunning()
  @Operation('iterations_close', {
    summary: 'Close iteration',
    description:
      'Closes the active iteration for good, freezes its report, and moves its open tasks and demands as `carry_over` ' +
      'says. Nobody else writes in the endeavour meanwhile.',
    path: { id: 'iteration' },
    body: CloseIterationDto,
    response: closedIteration,
    refuses: ['archived', 'conflict', 'invalid_transition', 'precondition_failed'],
  })
  close(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(CloseIterationDto)) dto: CloseIterationDto,
  ): Promise<Representation | object> {
    return this.closings.close(me, id, dto);
  }

  @Get(':id/report')
  @Operation('iterations_report_get', {
    summary: 'Report of an iteration',
    description:
      'What was committed at the start, added and removed since, completed, canceled and carried over, from the ' +
      'history of each task: committed + added = removed + completed + canceled + carried_over, by count. Frozen when ' +
      'the iteration is closed.',
    path: { id: 'iteration' },
    response: iterationReportSchema,
    readsStandby: true,
  })
  report(@CurrentCaller() me: Caller, @Id() id: string): Promise<IterationReport> {
    return this.reports.get(me, id);
  }

  @TransactionalDelete(':id')
  @Operation('iterations_delete', {
    summary: 'Delete iteration',
    description: 'Deletes a planned iteration that contains no tasks or demands.',
    path: { id: 'iteration' },
    response: DELETED,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.iterations.remove(me, id);
    return { id, deleted: true };
  }
}
