import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { WATCH_CONTROLLERS } from './watch.controllers.js';
import { WatchesRepository } from './watches.repository.js';
import { WatchesService } from './watches.service.js';

@Module({
  controllers: WATCH_CONTROLLERS,
  providers: [WatchesRepository, WatchesService],
  exports: [WatchesService],
})
export class WatchesModule {
  constructor(eraser: ContainerEraser) {
    eraser.attach({ parts: [{ table: 'watches', column: 'entity_id' }], references: [] });
  }
}
