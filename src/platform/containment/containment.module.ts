import { Global, Module } from '@nestjs/common';
import { ArchivedStates } from './archived-states.js';
import { ContainerEraser } from './container-eraser.js';
import { ContainedResources } from './contained-resources.js';
import { Exports } from './exports.js';

/** Provides the registry of contained resources, also for exports. */
@Global()
@Module({
  providers: [ArchivedStates, ContainerEraser, ContainedResources, Exports],
  exports: [ArchivedStates, ContainerEraser, ContainedResources, Exports],
})
export class ContainmentModule {}
