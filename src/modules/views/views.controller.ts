import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { CreateViewDto, UpdateViewDto } from './view.dto.js';
import { viewList } from './view.list.js';
import { viewView } from './view.view.js';
import { ViewsService, type ViewCount } from './views.service.js';

const representation = Object.keys(viewView.fields);
const Id = () => Param('id', bodies.PathId('view'));
const countSchema = component('ViewCount', {
  type: 'object',
  additionalProperties: false,
  required: ['total'],
  properties: {
    total: { type: 'integer' },
    total_is: { type: 'string', enum: ['at_least'], description: 'Absent if the total is exact.' },
  },
});

@ApiTags('Views')
@Controller('views')
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  @Get()
  @Operation('views_list', {
    summary: 'List views',
    description: 'Returns your own views and those of endeavours and organizations that are visible to you.',
    list: viewList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.views.list(me, query);
  }

  @TransactionalPost()
  @Operation('views_create', {
    summary: 'Create view',
    description:
      'Saves a query of GET /tasks or GET /demands, which `view=<id>` then applies. It is yours alone, or shared by an ' +
      'endeavour or organization; everybody finds with it what they see. A query that the list would reject is rejected.',
    status: 201,
    body: CreateViewDto,
    response: viewView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateViewDto, { representation })) dto: CreateViewDto,
  ): Promise<Representation> {
    return this.views.create(me, dto);
  }

  @Get(':id')
  @Operation('views_get', { summary: 'Get view', path: { id: 'view' }, resource: viewView })
  get(@CurrentCaller() me: Caller, @Id() id: string, @Fields(viewView) fields?: FieldNames): Promise<Representation> {
    return this.views.get(me, id, fields);
  }

  @Get(':id/count')
  @Operation('views_count_get', {
    summary: 'Count what a view lists',
    description: 'Counts the tasks or demands that are visible to you and match the query of the view.',
    path: { id: 'view' },
    response: countSchema,
  })
  count(@CurrentCaller() me: Caller, @Id() id: string): Promise<ViewCount> {
    return this.views.count(me, id);
  }

  @TransactionalPatch(':id')
  @Operation('views_update', {
    summary: 'Update view',
    description: 'JSON merge patch, of `query` too: parameters that you omit stay, and null removes one.',
    path: { id: 'view' },
    body: UpdateViewDto,
    response: viewView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateViewDto, { representation })) dto: UpdateViewDto,
  ): Promise<Representation> {
    return this.views.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('views_delete', {
    summary: 'Delete view',
    path: { id: 'view' },
    response: DELETED,
    refuses: ['archived', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.views.remove(me, id);
    return { id, deleted: true };
  }
}
