import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ReviewRequestsController } from './review-requests.controller.js';
import { ReviewRequestsRepository } from './review-requests.repository.js';
import { ReviewRequestsService } from './review-requests.service.js';
import { WorkController } from './work.controller.js';
import { WorkRepository } from './work.repository.js';
import { WorkService } from './work.service.js';

/** The working lists of users, and requests for reviews. */
@Module({
  imports: [ResourcesModule, TasksModule],
  controllers: [WorkController, ReviewRequestsController],
  providers: [ReviewRequestsRepository, ReviewRequestsService, WorkRepository, WorkService],
})
export class WorkModule {}
