import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { TransitionGuards } from '../../platform/transitions/transition-guards.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ReportSubjects } from '../templates/reports/report-subjects.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ChecksService } from './results/checks.service.js';
import { checkContainment, endorsementContainment, policyContainment, resultErasing } from './dod.containment.js';
import { DodReport } from './dod-report.js';
import { DodRecordsController } from './results/dod-records.controller.js';
import { DoneTransitionGuard } from './done-transition.guard.js';
import { EndeavourDodRepository } from './endeavour-dod.repository.js';
import { EndeavourDodService } from './endeavour-dod.service.js';
import { EndorsementsController } from './endorsements/endorsements.controller.js';
import { EndorsementsRepository } from './endorsements/endorsements.repository.js';
import { EndorsementsService } from './endorsements/endorsements.service.js';
import { EvidenceRepository } from './results/evidence.repository.js';
import { PoliciesController } from './policies/policies.controller.js';
import { PoliciesRepository } from './policies/policies.repository.js';
import { PoliciesService } from './policies/policies.service.js';
import { PolicyAssignmentsController } from './policies/policy-assignments.controller.js';
import { PolicyAssignmentsService } from './policies/policy-assignments.service.js';
import { PolicyFreezingService } from './policies/policy-freezing.service.js';
import { PolicyVersionsService } from './policies/policy-versions.service.js';
import { policyList } from './policies/policy.list.js';
import { ResultsRepository } from './results/results.repository.js';
import { ResultsService } from './results/results.service.js';
import { TaskDodController } from './task-dod.controller.js';
import { TaskDodService } from './task-dod.service.js';

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
    ChecksService,
    DodReport,
    DoneTransitionGuard,
    EndeavourDodService,
    EndeavourDodRepository,
    EndorsementsRepository,
    EndorsementsService,
    EvidenceRepository,
    PoliciesRepository,
    PoliciesService,
    PolicyAssignmentsService,
    PolicyFreezingService,
    PolicyVersionsService,
    ResultsRepository,
    ResultsService,
    TaskDodService,
  ],
  exports: [PoliciesRepository],
})
export class DodModule {
  constructor(
    containedResources: ContainedResources,
    eraser: ContainerEraser,
    transitionGuards: TransitionGuards,
    doneTransitionGuard: DoneTransitionGuard,
    subjects: ReportSubjects,
    report: DodReport,
    searchables: Searchables,
  ) {
    containedResources.register(policyContainment);
    containedResources.register(endorsementContainment);
    containedResources.register(checkContainment);
    eraser.register(resultErasing);
    transitionGuards.register(doneTransitionGuard);
    const names = ['dod', 'review_tasks'];
    subjects.addReader('endeavour', { names, read: (id) => report.ofEndeavour(id) });
    subjects.addReader('task', { names, read: (id) => report.ofTask(id) });
    searchables.register({ list: policyList });
  }
}
