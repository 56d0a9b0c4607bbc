import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { lineageSchema } from '../../access/visibility/lineage.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { readQuery, type QueryReaders } from '../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateRitualDto, ForkRitualDto, UpdateRitualDto } from './ritual.dto.js';
import { ritualList } from './ritual.list.js';
import { ritualView } from './ritual.view.js';
import { RitualsService } from './rituals.service.js';

const representation = Object.keys(ritualView.fields);
const Id = () => Param('id', bodies.PathId('ritual'));
const path = { id: 'ritual' } as const;
const MAX_OCCURRENCES = 100;
const occurrences: QueryReaders = {
  count: (raw) =>
    /^\d{1,3}$/.test(raw) && Number(raw) >= 1 && Number(raw) <= MAX_OCCURRENCES
      ? { value: Number(raw) }
      : { code: 'out_of_range', message: `count must be an integer from 1 to ${MAX_OCCURRENCES}.` },
};

@ApiTags('Rituals')
@Controller('rituals')
export class RitualsController {
  constructor(private readonly rituals: RitualsService) {}

  @Get()
  @Operation('rituals_list', { summary: 'List rituals', list: ritualList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.rituals.list(me, query);
  }

  @TransactionalPost()
  @Operation('rituals_create', {
    summary: 'Create ritual',
    status: 201,
    body: CreateRitualDto,
    response: ritualView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateRitualDto, { representation })) dto: CreateRitualDto,
  ): Promise<Representation> {
    return this.rituals.create(me, dto);
  }

  @Get(':id')
  @Operation('rituals_get', { summary: 'Get ritual', path, resource: ritualView })
  get(@CurrentCaller() me: Caller, @Id() id: string, @Fields(ritualView) fields?: FieldNames): Promise<Representation> {
    return this.rituals.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('rituals_update', {
    summary: 'Update ritual',
    description:
      'Updates the ritual in place (JSON merge patch). Built-in rituals cannot be changed (409 built_in); fork ' +
      'them instead.',
    path,
    body: UpdateRitualDto,
    response: ritualView,
    refuses: ['conflict', 'archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateRitualDto, { representation })) dto: UpdateRitualDto,
  ): Promise<Representation> {
    return this.rituals.update(me, id, dto);
  }

  @TransactionalPost(':id/fork')
  @Operation('rituals_fork', {
    summary: 'Fork ritual (creates a new version)',
    description:
      'Creates a new ritual with the next version number. Properties that you send replace those of the source. ' +
      'A fork into the container of its source starts disabled unless `is_enabled` is sent.',
    status: 201,
    createdIn: '/rituals',
    path,
    body: ForkRitualDto,
    bodyOptional: true,
    response: ritualView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  fork(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(ForkRitualDto, { representation })) dto: ForkRitualDto,
  ): Promise<Representation> {
    return this.rituals.fork(me, id, dto);
  }

  @Get(':id/lineage')
  @Operation('rituals_lineage_list', {
    summary: 'Get ritual version lineage',
    description:
      'Returns the earlier versions and this one, oldest first. Of versions that are not visible to you, only ' +
      'the version number is returned.',
    path,
    response: lineageSchema(ritualView),
  })
  lineage(@CurrentCaller() me: Caller, @Id() id: string): Promise<unknown[]> {
    return this.rituals.chain(me, id);
  }

  @Get(':id/occurrences')
  @Operation('rituals_occurrences_list', {
    summary: 'List next occurrences of a ritual',
    description:
      'Returns the next times of the schedule, whether or not the ritual is enabled. A manual ritual has none.',
    path,
    query: {
      count: {
        description: 'The number of occurrences.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
    },
    response: { type: 'array', items: { type: 'string', format: 'date-time' } },
  })
  occurrences(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<string[]> {
    const count = readQuery(query, occurrences).get('count') ?? 10;
    return this.rituals.occurrences(me, id, count as number);
  }
}
