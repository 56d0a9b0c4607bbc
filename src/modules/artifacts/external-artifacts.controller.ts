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
import { NewExternalArtifactDto, PutExternalArtifactDto } from './external-artifact.dto.js';
import { artifactView } from './artifact.view.js';
import { ArtifactsService } from './artifacts.service.js';

const representation = Object.keys(artifactView.fields);

@ApiTags('Artifacts')
@Controller('artifacts')
export class ExternalArtifactsController {
  constructor(
    private readonly externalRefs: ExternalRefs,
    private readonly artifacts: ArtifactsService,
  ) {}

  @TransactionalPut('by-external/:source/:external_id')
  @Operation('artifacts_by_external_put', {
    summary: 'Create or update artifact by external reference',
    description:
      'Creates the artifact with this external_ref in the endeavour, or updates it as PATCH does (JSON merge patch). ' +
      'Accepts the properties of POST for a new artifact and those of PATCH for an existing one. Concurrent requests create ' +
      'one artifact.',
    ...externalParameters('endeavour'),
    mayCreate: true,
    createdIn: '/artifacts',
    body: PutExternalArtifactDto,
    response: artifactView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  put(
    @CurrentCaller() me: Caller,
    @ExternalRequest('endeavour', NewExternalArtifactDto, PutExternalArtifactDto, { representation })
    request: ExternalPut<NewExternalArtifactDto, PutExternalArtifactDto>,
  ): Promise<Representation | Created> {
    return this.externalRefs.put(me, request, {
      view: artifactView,
      container: 'endeavour',
      creation: 'artifacts_create',
      fixed: ['endeavour_id'],
      create: (dto) => this.artifacts.create(me, dto),
      update: (id, dto) => this.artifacts.update(me, id, dto),
    });
  }
}
