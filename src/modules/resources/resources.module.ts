import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { Assignments } from './assignments.service.js';
import { Quorums } from './quorums.service.js';
import { Removals } from './removals.service.js';
import { resourceContent } from './resource.content.js';
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
export class ResourcesModule {
  constructor(contents: Contents) {
    contents.register(resourceContent);
  }
}
