import { Module } from '@nestjs/common';
import { Assignments } from './assignments.service.js';
import { Quorums } from './quorums.service.js';
import { Removals } from './removals.service.js';
import { ResourcesController } from './resources.controller.js';
import { ResourcesService } from './resources.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';
import { Workload } from './workload.js';

@Module({
  controllers: [ResourcesController, TeamsController],
  providers: [ResourcesService, Removals, TeamsService, Assignments, Quorums, Workload],
  exports: [ResourcesService, Assignments, Quorums, Workload],
})
export class ResourcesModule {}
