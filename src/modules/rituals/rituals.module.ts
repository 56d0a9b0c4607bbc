import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/searchables.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ReportSubjects } from '../templates/reports/report-subjects.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ritualContainment, ritualRunContainment } from './ritual.containment.js';
import { addRitualVariables } from './ritual-report.view.js';
import { ImportedRituals } from './imported-rituals.service.js';
import { RitualRunsController } from './ritual-runs.controller.js';
import { RitualRunsService } from './ritual-runs.service.js';
import { RitualsController } from './rituals.controller.js';
import { RitualsRepository } from './rituals.repository.js';
import { RitualsService } from './rituals.service.js';
import { Prompts } from './prompts.js';
import { ritualList } from './ritual.list.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  imports: [EndeavoursModule, MessagesModule, TemplatesModule],
  controllers: [RitualsController, RitualRunsController],
  providers: [
    RitualsRepository,
    RitualsService,
    ImportedRituals,
    RitualRunsService,
    Prompts,
    SchedulesRepository,
    SchedulesService,
  ],
  exports: [ImportedRituals, RitualsRepository, RitualsService],
})
export class RitualsModule {
  constructor(containedResources: ContainedResources, subjects: ReportSubjects, searchables: Searchables) {
    containedResources.register(ritualContainment);
    containedResources.register(ritualRunContainment);
    addRitualVariables(subjects);
    searchables.register({ list: ritualList, name: 'r.name', text: 'r.description' });
  }
}
