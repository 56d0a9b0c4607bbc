import { Global, Module } from '@nestjs/common';
import { ArchivedStates } from './archived-states.js';
import { ContainerEraser } from './container-eraser.js';
import { Contents } from './contents.js';
import { Exports } from './exports.js';

/** Provides the registry of contained resources, also for exports. */
@Global()
@Module({
  providers: [ArchivedStates, ContainerEraser, Contents, Exports],
  exports: [ArchivedStates, ContainerEraser, Contents, Exports],
})
export class ContentsModule {}
