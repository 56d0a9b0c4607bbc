import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ImportedTemplates } from './imported-templates.service.js';
import { Renderer } from './liquid/renderer.js';
import { PageSourcesReader } from './reports/page-sources-reader.js';
import { ReportSubjects } from './reports/report-subjects.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';
import { TemplateRenderer } from './reports/template-renderer.js';
import { addWorkVariables } from './reports/work-report.view.js';
import { templateContainment } from './template.containment.js';
import { templateList } from './template.list.js';
import { TemplateLimiter } from './template-limiter.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  imports: [TasksModule],
  controllers: [TemplatesController, ReportsController],
  providers: [
    TemplatesService,
    TemplateLimiter,
    ImportedTemplates,
    ReportsRepository,
    ReportsService,
    PageSourcesReader,
    ReportSubjects,
    Renderer,
    TemplateRenderer,
  ],
  exports: [ImportedTemplates, ReportSubjects, TemplateRenderer, TemplatesService],
})
export class TemplatesModule {
  constructor(containedResources: ContainedResources, subjects: ReportSubjects, searchables: Searchables) {
    containedResources.register(templateContainment);
    addWorkVariables(subjects);
    searchables.register({ list: templateList });
  }
}
