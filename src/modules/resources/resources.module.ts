import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/searchables.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';
import { QuorumsRepository } from './quorums.repository.js';
import { QuorumsService } from './quorums.service.js';
import { ReassignmentsRepository } from './reassignments.repository.js';
import { ReassignmentsService } from './reassignments.service.js';
import { ReassignmentsController } from './reassignments.controller.js';
import { ResourceDeletionService } from './resource-deletion.service.js';
import { resourceContainment } from './resource.containment.js';
import { ResourceErasureRepository } from './resource-erasure.repository.js';
import { ResourceErasureService } from './resource-erasure.service.js';
import { ResourceHomesRepository } from './resource-homes.repository.js';
import { ResourceHomesService } from './resource-homes.service.js';
import { ResourceTransfersController } from './resource-transfers.controller.js';
import { ResourcesController } from './resources.controller.js';
import { ExternalResourcesController } from './external-resources.controller.js';
import { ResourcesRepository } from './resources.repository.js';
import { ResourcesService } from './resources.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsRepository } from './teams.repository.js';
import { DirectoryTeamsService } from './directory-teams.service.js';
import { ManagedTeams } from './managed-teams.js';
import { TeamsService } from './teams.service.js';
import { AssignedWork } from './assigned-work.js';
import { resourceList } from './resource.list.js';

@Module({
  imports: [MessagesModule],
  controllers: [
    ResourcesController,
    ExternalResourcesController,
    ReassignmentsController,
    ResourceTransfersController,
    TeamsController,
  ],
  providers: [
    ResourcesService,
    ResourcesRepository,
    ResourceErasureService,
    ResourceErasureRepository,
    ResourceHomesService,
    ResourceHomesRepository,
    ReassignmentsService,
    ReassignmentsRepository,
    ResourceDeletionService,
    DirectoryTeamsService,
    ManagedTeams,
    TeamsService,
    TeamsRepository,
    AssignmentsService,
    AssignmentsRepository,
    QuorumsService,
    QuorumsRepository,
    AssignedWork,
  ],
  exports: [
    ResourcesRepository,
    ResourcesService,
    ResourceErasureService,
    ResourceHomesService,
    DirectoryTeamsService,
    ManagedTeams,
    TeamsService,
    AssignmentsService,
    ReassignmentsService,
    QuorumsService,
    AssignedWork,
  ],
})
export class ResourcesModule {
  constructor(containedResources: ContainedResources, eraser: ContainerEraser, searchables: Searchables) {
    containedResources.register(resourceContainment);
    eraser.attach({ parts: [{ table: 'quorum_votes', column: 'entity_id' }] });
    searchables.register({ list: resourceList });
  }
}
