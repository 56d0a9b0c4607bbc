import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { DemandsModule } from '../demands/demands.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { IterationsModule } from '../iterations/iterations.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ReportSubjects } from '../templates/reports/report-subjects.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ritualContainment, ritualRunContainment } from './ritual.containment.js';
import { addRitualVariables } from './runs/ritual-report.view.js';
import { ImportedRituals } from './imported-rituals.service.js';
import { RitualRunsController } from './runs/ritual-runs.controller.js';
import { RitualRunsService } from './runs/ritual-runs.service.js';
import { RitualsController } from './rituals.controller.js';
import { RitualsRepository } from './rituals.repository.js';
import { RitualsService } from './rituals.service.js';
import { Prompts } from './prompts.js';
import { ritualList } from './ritual.list.js';
import { RitualIterations } from './ritual-iterations.service.js';
import { RitualTasks } from './ritual-tasks.service.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { SchedulesService } from './schedules/schedules.service.js';

@Module({
  imports: [
    DemandsModule,
    EndeavoursModule,
    IterationsModule,
    MessagesModule,
    ResourcesModule,
    TasksModule,
    TemplatesModule,
  ],
  controllers: [RitualsController, RitualRunsController],
  providers: [
    RitualsRepository,
    RitualsService,
    ImportedRituals,
    RitualRunsService,
    Prompts,
    RitualIterations,
    RitualTasks,
    SchedulesRepository,
    SchedulesService,
  ],
  exports: [ImportedRituals, RitualsRepository, RitualsService],
})
export class RitualsModule {
  constructor(
    containedResources: ContainedResources,
    eraser: ContainerEraser,
    subjects: ReportSubjects,
    searchables: Searchables,
  ) {
    eraser.attach({ references: [{ table: 'ritual_runs', column: 'task_id' }] });
    containedResources.register(ritualContainment);
    containedResources.register(ritualRunContainment);
    addRitualVariables(subjects);
    searchables.register({ list: ritualList });
  }
}
