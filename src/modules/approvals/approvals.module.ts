import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { approvalContainment } from './approval.containment.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { ApprovalsService } from './approvals.service.js';

@Module({
  imports: [TasksModule],
  controllers: [ApprovalsController],
  providers: [ApprovalsRepository, ApprovalsService],
})
export class ApprovalsModule {
  constructor(containedResources: ContainedResources) {
    containedResources.register(approvalContainment);
  }
}
