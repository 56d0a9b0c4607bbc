import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { DependenciesModule } from '../dependencies/dependencies.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ReportSubjects } from '../templates/reports/report-subjects.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { addBlockedTaskVariables } from './blocked-task.view.js';
import { MembershipRelationsService } from './membership-relations.service.js';
import { MembershipRelationsRepository } from './membership-relations.repository.js';
import { relationContainment } from './relation.containment.js';
import { RelationsController } from './relations.controller.js';
import { RelationsRepository } from './relations.repository.js';
import { RelationsService } from './relations.service.js';
import { TaskPartLinks } from './task-part-links.service.js';

@Module({
  imports: [DependenciesModule, EndeavoursModule, OrganizationsModule, ResourcesModule, TasksModule, TemplatesModule],
  controllers: [RelationsController],
  providers: [
    MembershipRelationsService,
    MembershipRelationsRepository,
    RelationsRepository,
    RelationsService,
    TaskPartLinks,
  ],
  exports: [RelationsService],
})
export class RelationsModule {
  constructor(containedResources: ContainedResources, subjects: ReportSubjects) {
    containedResources.register(relationContainment);
    addBlockedTaskVariables(subjects);
  }
}
