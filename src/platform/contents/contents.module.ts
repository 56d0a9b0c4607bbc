import { Global, Module } from '@nestjs/common';
import { ArchivedStates } from './archived-states.js';
import { ContainerEraser } from './container-eraser.js';
import { Contents } from './contents.js';
import { Exports } from './exports.js';

/** Hands out the panel of what lies in containers, and sends it as a whole. */
@Global()
@Module({
  providers: [ArchivedStates, ContainerEraser, Contents, Exports],
  exports: [ArchivedStates, ContainerEraser, Contents, Exports],
})
export class ContentsModule {}
