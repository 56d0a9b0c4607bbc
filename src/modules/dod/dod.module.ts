import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/contents/container-eraser.js';
import { Contents } from '../../platform/contents/contents.js';
import { Gates } from '../../platform/gates/gates.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ReportSubjects } from '../templates/reports/report-subjects.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { Checks } from './checks.service.js';
import { checkContent, endorsementContent, policyContent, resultErasing } from './dod.content.js';
import { DodReport } from './dod-report.js';
import { DodRecordsController } from './dod-records.controller.js';
import { DoneGate } from './done-gate.js';
import { EndeavourDodRepository } from './endeavour-dod.repository.js';
import { EndeavourDod } from './endeavour-dod.service.js';
import { EndorsementsController } from './endorsements.controller.js';
import { Endorsements } from './endorsements.service.js';
import { Evidence } from './evidence.service.js';
import { PoliciesController } from './policies.controller.js';
import { PoliciesRepository } from './policies.repository.js';
import { PoliciesService } from './policies.service.js';
import { PolicyAssignmentsController } from './policy-assignments.controller.js';
import { PolicyAssignments } from './policy-assignments.service.js';
import { PolicyFreezing } from './policy-freezing.service.js';
import { PolicyVersions } from './policy-versions.service.js';
import { ResultsRepository } from './results.repository.js';
import { ResultsService } from './results.service.js';
import { TaskDodController } from './task-dod.controller.js';
import { TaskDod } from './task-dod.service.js';

@Module({
  imports: [EndeavoursModule, TasksModule, TemplatesModule],
  controllers: [
    PoliciesController,
    PolicyAssignmentsController,
    EndorsementsController,
    TaskDodController,
    DodRecordsController,
  ],
  providers: [
    Checks,
    DodReport,
    DoneGate,
    EndeavourDod,
    EndeavourDodRepository,
    Endorsements,
    Evidence,
    PoliciesRepository,
    PoliciesService,
    PolicyAssignments,
    PolicyFreezing,
    PolicyVersions,
    ResultsRepository,
    ResultsService,
    TaskDod,
  ],
})
export class DodModule {
  constructor(
    contents: Contents,
    eraser: ContainerEraser,
    gates: Gates,
    gate: DoneGate,
    subjects: ReportSubjects,
    report: DodReport,
  ) {
    contents.register(policyContent);
    contents.register(endorsementContent);
    contents.register(checkContent);
    eraser.register(resultErasing);
    gates.register(gate);
    const names = ['dod', 'review_tasks'];
    subjects.addReader('endeavour', { names, read: (id) => report.ofEndeavour(id) });
    subjects.addReader('task', { names, read: (id) => report.ofTask(id) });
  }
}
