import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { CreateRitualRunDto, UpdateRitualRunDto } from './ritual-run.dto.js';
import { ritualRunList } from './ritual-run.list.js';
import { ritualRunView } from './ritual-run.view.js';
import { RitualRunsService } from './ritual-runs.service.js';

const representation = Object.keys(ritualRunView.fields);
const Id = () => Param('id', bodies.PathId('ritual_run'));
const path = { id: 'ritual_run' } as const;

@ApiTags('Rituals')
@Controller('ritual-runs')
export class RitualRunsController {
  constructor(private readonly runs: RitualRunsService) {}

  @Get()
  @Operation('ritual_runs_list', { summary: 'List ritual runs', list: ritualRunList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.runs.list(me, query);
  }

  @TransactionalPost()
  @Operation('ritual_runs_create', {
    summary: 'Start a ritual run',
    description: 'Starts a run independently of the schedule. Built-in rituals have to be forked first (409 built_in).',
    status: 201,
    body: CreateRitualRunDto,
    response: ritualRunView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateRitualRunDto, { representation })) dto: CreateRitualRunDto,
  ): Promise<Representation> {
    return this.runs.create(me, dto);
  }

  @Get(':id')
  @Operation('ritual_runs_get', { summary: 'Get ritual run', path, resource: ritualRunView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(ritualRunView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.runs.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('ritual_runs_update', {
    summary: 'Update ritual run',
    description:
      'JSON merge patch. A run ends once, as succeeded, failed or skipped. `claim: true` sets `run_by` to you; ' +
      'the response is 409 `claimed` if another resource has already claimed the run.',
    path,
    body: UpdateRitualRunDto,
    response: ritualRunView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateRitualRunDto, { representation })) dto: UpdateRitualRunDto,
  ): Promise<Representation> {
    return this.runs.update(me, id, dto);
  }
}
