import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ArtifactFilesController } from './artifact-files.controller.js';
import { ArtifactFilesRepository } from './artifact-files.repository.js';
import { ArtifactFiles } from './artifact-files.service.js';
import { artifactContainment } from './artifact.containment.js';
import { artifactList } from './artifact.list.js';
import { ArtifactsController } from './artifacts.controller.js';
import { ExternalArtifactsController } from './external-artifacts.controller.js';
import { FileRemovalsRepository } from './file-removals.repository.js';
import { FileRemovals } from './file-removals.service.js';
import { ImportedArtifacts } from './imported-artifacts.service.js';
import { ArtifactsService } from './artifacts.service.js';

@Module({
  imports: [EndeavoursModule, TasksModule],
  controllers: [ArtifactsController, ArtifactFilesController, ExternalArtifactsController],
  providers: [
    ArtifactFiles,
    ArtifactFilesRepository,
    ArtifactsService,
    FileRemovals,
    FileRemovalsRepository,
    ImportedArtifacts,
  ],
  exports: [ArtifactsService, ImportedArtifacts],
})
export class ArtifactsModule {
  constructor(containedResources: ContainedResources, searchables: Searchables) {
    containedResources.register(artifactContainment);
    searchables.register({ list: artifactList });
  }
}
