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
import { NewExternalEndeavourDto, PutExternalEndeavourDto } from './external-endeavour.dto.js';
import { endeavourView } from './endeavour.view.js';
import { updatedEndeavour } from './fields/updated-endeavour.js';
import { EndeavoursService } from './endeavours.service.js';

const representation = Object.keys(endeavourView.fields);

@ApiTags('Endeavours')
@Controller('endeavours')
export class ExternalEndeavoursController {
  constructor(
    private readonly externalRefs: ExternalRefs,
    private readonly endeavours: EndeavoursService,
  ) {}

  @TransactionalPut('by-external/:source/:external_id')
  @Operation('endeavours_by_external_put', {
    summary: 'Create or update endeavour by external reference',
    description:
      'Creates the endeavour with this external_ref in the organization, or updates it as PATCH does (JSON merge patch). ' +
      'Accepts the properties of POST for a new endeavour and those of PATCH for an existing one. Concurrent requests create ' +
      'one endeavour.',
    ...externalParameters('organization'),
    mayCreate: true,
    createdIn: '/endeavours',
    body: PutExternalEndeavourDto,
    response: updatedEndeavour,
    refuses: ['invalid_transition', 'conflict', 'archived', 'precondition_failed', 'tier_limit'],
  })
  put(
    @CurrentCaller() me: Caller,
    @ExternalRequest('organization', NewExternalEndeavourDto, PutExternalEndeavourDto, { representation })
    request: ExternalPut<NewExternalEndeavourDto, PutExternalEndeavourDto>,
  ): Promise<Representation | Created> {
    return this.externalRefs.put(me, request, {
      view: endeavourView,
      container: 'organization',
      creation: 'organizations_take_in',
      fixed: ['organization_id'],
      create: (dto) => this.endeavours.create(me, dto),
      update: (id, dto) => this.endeavours.update(me, id, dto),
    });
  }
}
