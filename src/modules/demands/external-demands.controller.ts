import { externalController } from '../../access/references/external-controller.js';
import { NewExternalDemandDto, PutExternalDemandDto } from './external-demand.dto.js';
import { demandView } from './demand.view.js';
import { DemandsService } from './demands.service.js';

export const ExternalDemandsController = externalController({
  operation: 'demands_by_external_put',
  path: 'demands',
  tag: 'Demands',
  view: demandView,
  container: 'endeavour',
  creation: 'demands_create',
  fixed: ['type', 'endeavour_id'],
  creationBody: NewExternalDemandDto,
  patchBody: PutExternalDemandDto,
  refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'precondition_failed'],
  service: DemandsService,
});
