import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { DependenciesModule } from '../dependencies/dependencies.module.js';
import { DemandsModule } from '../demands/demands.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { ClaimController } from './claim/claim.controller.js';
import { ClaimRepository } from './claim/claim.repository.js';
import { ClaimService } from './claim/claim.service.js';
import { GraphController } from './graph/graph.controller.js';
import { GraphRepository } from './graph/graph.repository.js';
import { GraphService } from './graph/graph.service.js';
import { Handovers } from './handovers.js';
import { OpenTasks } from './open-tasks.js';
import { Overrides } from './overrides.service.js';
import { taskContent } from './task.content.js';
import { TaskMoves } from './task.moves.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';
import { UnblockedTasks } from './unblocked-tasks.service.js';

@Module({
  imports: [DemandsModule, DependenciesModule, EndeavoursModule, ResourcesModule],
  controllers: [TasksController, ClaimController, GraphController],
  providers: [
    TasksService,
    TaskMoves,
    Handovers,
    OpenTasks,
    Overrides,
    UnblockedTasks,
    GraphRepository,
    GraphService,
    ClaimRepository,
    ClaimService,
  ],
  exports: [TasksService, Overrides, UnblockedTasks],
})
export class TasksModule {
  constructor(contents: Contents) {
    contents.register(taskContent);
  }
}
