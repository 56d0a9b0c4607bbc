import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/searchables.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { artifactContainment } from './artifact.containment.js';
import { artifactList } from './artifact.list.js';
import { ArtifactsController } from './artifacts.controller.js';
import { ExternalArtifactsController } from './external-artifacts.controller.js';
import { ImportedArtifacts } from './imported-artifacts.service.js';
import { ArtifactsService } from './artifacts.service.js';

@Module({
  imports: [EndeavoursModule, TasksModule],
  controllers: [ArtifactsController, ExternalArtifactsController],
  providers: [ArtifactsService, ImportedArtifacts],
  exports: [ArtifactsService, ImportedArtifacts],
})
export class ArtifactsModule {
  constructor(containedResources: ContainedResources, searchables: Searchables) {
    containedResources.register(artifactContainment);
    searchables.register({ list: artifactList });
  }
}
