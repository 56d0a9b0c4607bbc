import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateDemandDto, UpdateDemandDto } from './demand.dto.js';
import { demandList } from './demand.list.js';
import { demandDetailView } from './demand-detail.view.js';
import { demandView } from './demand.view.js';
import { RankDemandDto } from './ranks/rank-demand.dto.js';
import { DemandsService } from './demands.service.js';

const representation = Object.keys(demandView.fields);
const Id = () => Param('id', bodies.PathId('demand'));

@ApiTags('Demands')
@Controller('demands')
export class DemandsController {
  constructor(private readonly demands: DemandsService) {}

  @Get()
  @Operation('demands_list', {
    summary: 'List demands',
    description:
      'Returns the demands in the endeavours that are visible to you. With `endeavour_id`, the declared fields of that ' +
      'endeavour are further parameters: `metadata.<key>` with the values of the others, `metadata.<key>.min` and ' +
      '`metadata.<key>.max` for numbers and days, and `sort=metadata.<key>`.',
    list: demandList,
    refuses: ['not_found'],
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.demands.list(me, query);
  }

  @TransactionalPost()
  @Operation('demands_create', {
    summary: 'Create demand',
    status: 201,
    body: CreateDemandDto,
    response: demandView,
    refuses: ['archived', 'conflict', 'velocity_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateDemandDto, { representation })) dto: CreateDemandDto,
  ): Promise<Representation> {
    return this.demands.create(me, dto);
  }

  @Get(':id')
  @Operation('demands_get', { summary: 'Get demand', path: { id: 'demand' }, resource: demandDetailView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(demandDetailView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.demands.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('demands_update', {
    summary: 'Update demand',
    description:
      'JSON merge patch. A demand can be fulfilled when none of its tasks is planned or active (409 ' +
      '`open_tasks`). An open demand moves to in_progress when the first of its tasks becomes active.',
    path: { id: 'demand' },
    body: UpdateDemandDto,
    response: demandView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateDemandDto, { representation })) dto: UpdateDemandDto,
  ): Promise<Representation> {
    return this.demands.update(me, id, dto);
  }

  @TransactionalPost(':id/rank')
  @Operation('demands_rank_set', {
    summary: 'Rank demand',
    description:
      'Moves the demand in the order of the demands of its endeavour (`sort=rank`): before or behind another one, to ' +
      'the beginning or to the end. It is the only one that changes.',
    path: { id: 'demand' },
    body: RankDemandDto,
    response: demandView,
    refuses: ['archived', 'precondition_failed'],
  })
  rank(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(RankDemandDto)) dto: RankDemandDto,
  ): Promise<Representation> {
    return this.demands.rank(me, id, dto);
  }
}
