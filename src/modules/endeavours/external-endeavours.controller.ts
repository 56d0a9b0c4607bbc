import { externalController } from '../../access/references/external-controller.js';
import { NewExternalEndeavourDto, PutExternalEndeavourDto } from './external-endeavour.dto.js';
import { endeavourView } from './endeavour.view.js';
import { EndeavoursService } from './endeavours.service.js';
import { updatedEndeavour } from './fields/updated-endeavour.js';

export const ExternalEndeavoursController = externalController({
  operation: 'endeavours_by_external_put',
  path: 'endeavours',
  tag: 'Endeavours',
  view: endeavourView,
  container: 'organization',
  creation: 'organizations_take_in',
  fixed: ['organization_id'],
  creationBody: NewExternalEndeavourDto,
  patchBody: PutExternalEndeavourDto,
  response: updatedEndeavour,
  refuses: ['invalid_transition', 'conflict', 'archived', 'precondition_failed', 'tier_limit'],
  service: EndeavoursService,
});
