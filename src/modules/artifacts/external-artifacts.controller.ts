import { externalController } from '../../access/references/external-controller.js';
import { NewExternalArtifactDto, PutExternalArtifactDto } from './external-artifact.dto.js';
import { artifactView } from './artifact.view.js';
import { ArtifactsService } from './artifacts.service.js';

export const ExternalArtifactsController = externalController({
  operation: 'artifacts_by_external_put',
  path: 'artifacts',
  tag: 'Artifacts',
  view: artifactView,
  container: 'endeavour',
  creation: 'artifacts_create',
  fixed: ['endeavour_id'],
  creationBody: NewExternalArtifactDto,
  patchBody: PutExternalArtifactDto,
  refuses: ['archived', 'conflict', 'precondition_failed'],
  service: ArtifactsService,
});
