import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { endorsementContent, policyContent } from './dod.content.js';
import { EndorsementsController } from './endorsements.controller.js';
import { Endorsements } from './endorsements.service.js';
import { PoliciesController } from './policies.controller.js';
import { PoliciesService } from './policies.service.js';
import { PolicyAssignmentsController } from './policy-assignments.controller.js';
import { PolicyAssignments } from './policy-assignments.service.js';
import { PolicyVersions } from './policy-versions.service.js';

@Module({
  imports: [EndeavoursModule],
  controllers: [PoliciesController, PolicyAssignmentsController, EndorsementsController],
  providers: [PoliciesService, PolicyVersions, PolicyAssignments, Endorsements],
})
export class DodModule {
  constructor(contents: Contents) {
    contents.register(policyContent);
    contents.register(endorsementContent);
  }
}
