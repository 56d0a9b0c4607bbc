import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { ImportedIterations } from './imported-iterations.service.js';
import { IterationClosings } from './iteration-closings.service.js';
import { IterationContents } from './iteration-contents.js';
import { IterationMembership } from './iteration-membership.js';
import { IterationReportsRepository } from './iteration-reports.repository.js';
import { IterationReports } from './iteration-reports.service.js';
import { iterationContainment } from './iteration.containment.js';
import { IterationsController } from './iterations.controller.js';
import { IterationsRepository } from './iterations.repository.js';
import { IterationsService } from './iterations.service.js';
import { NextIterations } from './next-iterations.service.js';

@Module({
  imports: [EndeavoursModule, OperationsModule],
  controllers: [IterationsController],
  providers: [
    ImportedIterations,
    IterationClosings,
    IterationContents,
    IterationMembership,
    IterationReports,
    IterationReportsRepository,
    IterationsRepository,
    IterationsService,
    NextIterations,
  ],
  exports: [ImportedIterations, IterationContents, IterationMembership, IterationsService, NextIterations],
})
export class IterationsModule {
  constructor(containedResources: ContainedResources) {
    containedResources.register(iterationContainment);
  }
}
