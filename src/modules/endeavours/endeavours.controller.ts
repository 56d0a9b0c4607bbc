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
import { CreateEndeavourDto, UpdateEndeavourDto } from './endeavour.dto.js';
import { endeavourList } from './endeavour.list.js';
import { endeavourView } from './endeavour.view.js';
import { updatedEndeavour } from './fields/updated-endeavour.js';
import { EndeavoursService } from './endeavours.service.js';

const representation = Object.keys(endeavourView.fields);
const Id = () => Param('id', bodies.PathId('endeavour'));

@ApiTags('Endeavours')
@Controller('endeavours')
export class EndeavoursController {
  constructor(private readonly endeavours: EndeavoursService) {}

  @Get()
  @Operation('endeavours_list', { summary: 'List endeavours', list: endeavourList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.endeavours.list(me, query);
  }

  @TransactionalPost()
  @Operation('endeavours_create', {
    summary: 'Create endeavour',
    status: 201,
    body: CreateEndeavourDto,
    response: endeavourView,
    refuses: ['forbidden', 'archived', 'conflict', 'tier_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateEndeavourDto, { representation })) dto: CreateEndeavourDto,
  ): Promise<Representation> {
    return this.endeavours.create(me, dto);
  }

  @Get(':id')
  @Operation('endeavours_get', { summary: 'Get endeavour', path: { id: 'endeavour' }, resource: endeavourView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(endeavourView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.endeavours.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('endeavours_update', {
    summary: 'Update endeavour',
    description:
      'JSON merge patch. goals replaces all goals; send the ids of the goals that you want to keep. fields replaces all ' +
      'declared fields.',
    path: { id: 'endeavour' },
    body: UpdateEndeavourDto,
    response: updatedEndeavour,
    refuses: ['invalid_transition', 'conflict', 'archived', 'precondition_failed', 'tier_limit'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateEndeavourDto, { representation })) dto: UpdateEndeavourDto,
  ): Promise<Representation> {
    return this.endeavours.update(me, id, dto);
  }
}
