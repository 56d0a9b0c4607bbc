import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { Gates } from '../../platform/gates/gates.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { Checks } from './checks.service.js';
import { checkContent, endorsementContent, policyContent } from './dod.content.js';
import { DoneGate } from './done-gate.js';
import { EndeavourDod } from './endeavour-dod.service.js';
import { EndorsementsController } from './endorsements.controller.js';
import { Endorsements } from './endorsements.service.js';
import { Evidence } from './evidence.service.js';
import { PoliciesController } from './policies.controller.js';
import { PoliciesService } from './policies.service.js';
import { PolicyAssignmentsController } from './policy-assignments.controller.js';
import { PolicyAssignments } from './policy-assignments.service.js';
import { PolicyVersions } from './policy-versions.service.js';
import { TaskDodController } from './task-dod.controller.js';
import { TaskDod } from './task-dod.service.js';

@Module({
  imports: [EndeavoursModule, TasksModule],
  controllers: [PoliciesController, PolicyAssignmentsController, EndorsementsController, TaskDodController],
  providers: [
    Checks,
    DoneGate,
    EndeavourDod,
    Endorsements,
    Evidence,
    PoliciesService,
    PolicyAssignments,
    PolicyVersions,
    TaskDod,
  ],
})
export class DodModule {
  constructor(contents: Contents, gates: Gates, gate: DoneGate) {
    contents.register(policyContent);
    contents.register(endorsementContent);
    contents.register(checkContent);
    gates.register(gate);
  }
}
