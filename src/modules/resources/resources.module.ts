import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AssignmentsRepository } from './assignments/assignments.repository.js';
import { AssignmentsService } from './assignments/assignments.service.js';
import { QuorumsRepository } from './quorums/quorums.repository.js';
import { QuorumsService } from './quorums/quorums.service.js';
import { ReassignmentsRepository } from './assignments/reassignments.repository.js';
import { ReassignmentsService } from './assignments/reassignments.service.js';
import { ReassignmentsController } from './assignments/reassignments.controller.js';
import { ResourceDeletionService } from './erasure/resource-deletion.service.js';
import { resourceContainment } from './resource.containment.js';
import { ResourceErasureRepository } from './erasure/resource-erasure.repository.js';
import { ResourceErasureService } from './erasure/resource-erasure.service.js';
import { ResourceHomesRepository } from './erasure/resource-homes.repository.js';
import { ResourceHomesService } from './erasure/resource-homes.service.js';
import { ResourceTransfersController } from './erasure/resource-transfers.controller.js';
import { ResourcesController } from './resources.controller.js';
import { ExternalResourcesController } from './external-resources.controller.js';
import { ResourcesRepository } from './resources.repository.js';
import { ResourcesService } from './resources.service.js';
import { TeamsController } from './teams/teams.controller.js';
import { TeamsRepository } from './teams/teams.repository.js';
import { DirectoryTeamsService } from './teams/directory-teams.service.js';
import { ManagedTeams } from './teams/managed-teams.js';
import { TeamsService } from './teams/teams.service.js';
import { AssignedWork } from './assignments/assigned-work.js';
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
