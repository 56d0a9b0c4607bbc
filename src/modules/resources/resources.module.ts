import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/contents/container-eraser.js';
import { Contents } from '../../platform/contents/contents.js';
import { MessagesModule } from '../messages/messages.module.js';
import { Assignments } from './assignments.service.js';
import { Quorums } from './quorums.service.js';
import { Reassignments } from './reassignments.service.js';
import { ReassignmentsController } from './reassignments.controller.js';
import { Removals } from './removals.service.js';
import { resourceContent } from './resource.content.js';
import { ResourceErasing } from './resource-erasing.service.js';
import { ResourceHomesRepository } from './resource-homes.repository.js';
import { ResourceHomes } from './resource-homes.service.js';
import { ResourceTransfersController } from './resource-transfers.controller.js';
import { ResourcesController } from './resources.controller.js';
import { ResourcesService } from './resources.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';
import { Workload } from './workload.js';

@Module({
  imports: [MessagesModule],
  controllers: [ResourcesController, ReassignmentsController, ResourceTransfersController, TeamsController],
  providers: [
    ResourcesService,
    ResourceErasing,
    ResourceHomes,
    ResourceHomesRepository,
    Reassignments,
    Removals,
    TeamsService,
    Assignments,
    Quorums,
    Workload,
  ],
  exports: [
    ResourcesService,
    ResourceErasing,
    ResourceHomes,
    TeamsService,
    Assignments,
    Reassignments,
    Quorums,
    Workload,
  ],
})
export class ResourcesModule {
  constructor(contents: Contents, eraser: ContainerEraser) {
    contents.register(resourceContent);
    eraser.attach({ parts: [{ table: 'quorum_votes', column: 'entity_id' }] });
  }
}
