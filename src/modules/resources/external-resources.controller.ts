import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { externalParameters, ExternalRequest, type ExternalPut } from '../../access/external-request.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import type { Created } from '../../platform/http/created.js';
import { TransactionalPut } from '../../platform/http/transactional-routes.js';
import { NewExternalResourceDto, PutExternalResourceDto } from './external-resource.dto.js';
import { resourceView } from './resource.view.js';
import { ResourcesService } from './resources.service.js';

const representation = Object.keys(resourceView.fields);

@ApiTags('Resources')
@Controller('resources')
export class ExternalResourcesController {
  constructor(
    private readonly externalRefs: ExternalRefs,
    private readonly resources: ResourcesService,
  ) {}

  @TransactionalPut('by-external/:source/:external_id')
  @Operation('resources_by_external_put', {
    summary: 'Create or update resource by external reference',
    description:
      'Creates the resource with this external_ref in the organization, or updates it as PATCH does (JSON merge patch). ' +
      'Accepts the properties of POST for a new resource and those of PATCH for an existing one. Concurrent requests ' +
      'create one resource.',
    ...externalParameters('organization'),
    mayCreate: true,
    createdIn: '/resources',
    body: PutExternalResourceDto,
    response: resourceView,
    refuses: ['archived', 'precondition_failed', 'tier_limit'],
  })
  put(
    @CurrentCaller() me: Caller,
    @ExternalRequest('organization', NewExternalResourceDto, PutExternalResourceDto, { representation })
    request: ExternalPut<NewExternalResourceDto, PutExternalResourceDto>,
  ): Promise<Representation | Created> {
    return this.externalRefs.put(me, request, {
      view: resourceView,
      container: 'organization',
      creation: 'resources_take_in',
      fixed: ['organization_id'],
      create: (dto) => this.resources.create(me, dto),
      update: (id, dto) => this.resources.update(me, id, dto),
    });
  }
}
