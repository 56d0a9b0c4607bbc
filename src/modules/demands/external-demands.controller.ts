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
import { NewExternalDemandDto, PutExternalDemandDto } from './external-demand.dto.js';
import { demandView } from './demand.view.js';
import { DemandsService } from './demands.service.js';

const representation = Object.keys(demandView.fields);

@ApiTags('Demands')
@Controller('demands')
export class ExternalDemandsController {
  constructor(
    private readonly externalRefs: ExternalRefs,
    private readonly demands: DemandsService,
  ) {}

  @TransactionalPut('by-external/:source/:external_id')
  @Operation('demands_by_external_put', {
    summary: 'Create or update demand by external reference',
    description:
      'Creates the demand with this external_ref in the endeavour, or updates it as PATCH does (JSON merge patch). ' +
      'Accepts the properties of POST for a new demand and those of PATCH for an existing one. Concurrent requests create ' +
      'one demand.',
    ...externalParameters('endeavour'),
    mayCreate: true,
    createdIn: '/demands',
    body: PutExternalDemandDto,
    response: demandView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'precondition_failed'],
  })
  put(
    @CurrentCaller() me: Caller,
    @ExternalRequest('endeavour', NewExternalDemandDto, PutExternalDemandDto, { representation })
    request: ExternalPut<NewExternalDemandDto, PutExternalDemandDto>,
  ): Promise<Representation | Created> {
    return this.externalRefs.put(me, request, {
      view: demandView,
      container: 'endeavour',
      creation: 'demands_create',
      fixed: ['type', 'endeavour_id'],
      create: (dto) => this.demands.create(me, dto),
      update: (id, dto) => this.demands.update(me, id, dto),
    });
  }
}
