import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { DependenciesModule } from '../dependencies/dependencies.module.js';
import { DemandsModule } from '../demands/demands.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
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
  controllers: [TasksController],
  providers: [TasksService, TaskMoves, Handovers, OpenTasks, Overrides, UnblockedTasks],
  exports: [TasksService, Overrides, UnblockedTasks],
})
export class TasksModule {
  constructor(contents: Contents) {
    contents.register(taskContent);
  }
}
