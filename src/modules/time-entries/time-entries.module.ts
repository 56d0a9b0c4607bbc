import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ImportedTimeEntries } from './imported-time-entries.service.js';
import { timeEntryContainment } from './time-entry.containment.js';
import { TimeEntriesController } from './time-entries.controller.js';
import { TimeEntriesRepository } from './time-entries.repository.js';
import { TimeEntriesService } from './time-entries.service.js';

@Module({
  imports: [EndeavoursModule, ResourcesModule, TasksModule],
  controllers: [TimeEntriesController],
  providers: [ImportedTimeEntries, TimeEntriesRepository, TimeEntriesService],
  exports: [ImportedTimeEntries, TimeEntriesService],
})
export class TimeEntriesModule {
  constructor(containedResources: ContainedResources) {
    containedResources.register(timeEntryContainment);
  }
}
