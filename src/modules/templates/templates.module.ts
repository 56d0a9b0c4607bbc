import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { Renderer } from './liquid/renderer.js';
import { ReportSubjects } from './reports/report-subjects.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsService } from './reports/reports.service.js';
import { TemplateRenderer } from './reports/template-renderer.js';
import { addWork } from './reports/work-subjects.js';
import { templateContent } from './template.content.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  controllers: [TemplatesController, ReportsController],
  providers: [TemplatesService, ReportsService, ReportSubjects, Renderer, TemplateRenderer],
  exports: [ReportSubjects, TemplateRenderer],
})
export class TemplatesModule {
  constructor(contents: Contents, subjects: ReportSubjects) {
    contents.register(templateContent);
    addWork(subjects);
  }
}
