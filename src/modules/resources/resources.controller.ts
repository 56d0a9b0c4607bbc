import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { RESOURCE_REFERENCE } from '../../platform/http/bodies/fields/links.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { readReassignTo } from './assignments/reassign-to.js';
import { ResourceDeletionService } from './erasure/resource-deletion.service.js';
import { CreateResourceDto, UpdateResourceDto } from './resource.dto.js';
import { resourceList } from './resource.list.js';
import { resourceView } from './resource.view.js';
import { ResourcesService } from './resources.service.js';

const representation = Object.keys(resourceView.fields);
const Id = () => Param('id', bodies.PathId('resource'));

@ApiTags('Resources')
@Controller('resources')
export class ResourcesController {
  constructor(
    private readonly resources: ResourcesService,
    private readonly resourceDeletion: ResourceDeletionService,
  ) {}

  @Get()
  @Operation('resources_list', { summary: 'List resources', list: resourceList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.resources.list(me, query);
  }

  @TransactionalPost()
  @Operation('resources_create', {
    summary: 'Create resource',
    description:
      'With organization_id, the organization becomes the home of the resource, which joins it with the member role.',
    status: 201,
    body: CreateResourceDto,
    response: resourceView,
    refuses: ['forbidden', 'archived', 'conflict', 'tier_limit', 'velocity_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateResourceDto, { representation })) dto: CreateResourceDto,
  ): Promise<Representation> {
    return this.resources.create(me, dto);
  }

  @Get(':id')
  @Operation('resources_get', { summary: 'Get resource', path: { id: 'resource' }, resource: resourceView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(resourceView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.resources.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('resources_update', {
    summary: 'Update resource',
    path: { id: 'resource' },
    body: UpdateResourceDto,
    response: resourceView,
    refuses: ['forbidden', 'archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateResourceDto, { representation })) dto: UpdateResourceDto,
  ): Promise<Representation> {
    return this.resources.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('resources_delete', {
    summary: 'Delete resource',
    description:
      'The resource is hidden from lists; its past work keeps its name. Returns 409 `user_resource` for the resource ' +
      'of a user, and 409 `in_use` while planned or active tasks are assigned to the resource, unless reassign_to is ' +
      'set.',
    path: { id: 'resource' },
    query: {
      reassign_to: {
        description: 'The new assignee of the planned and active tasks: a res_ id, a usr_ id, or me.',
        schema: { ...RESOURCE_REFERENCE, examples: ['me'] },
      },
    },
    response: DELETED,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Deleted> {
    await this.resourceDeletion.remove(me, id, readReassignTo(query));
    return { id, deleted: true };
  }
}
