import { externalController } from '../../access/references/external-controller.js';
import { NewExternalResourceDto, PutExternalResourceDto } from './external-resource.dto.js';
import { resourceView } from './resource.view.js';
import { ResourcesService } from './resources.service.js';

export const ExternalResourcesController = externalController({
  operation: 'resources_by_external_put',
  path: 'resources',
  tag: 'Resources',
  view: resourceView,
  container: 'organization',
  creation: 'resources_take_in',
  fixed: ['organization_id'],
  creationBody: NewExternalResourceDto,
  patchBody: PutExternalResourceDto,
  refuses: ['archived', 'precondition_failed', 'tier_limit'],
  service: ResourcesService,
});
