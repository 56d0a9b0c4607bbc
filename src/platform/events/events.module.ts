import { Global, Module } from '@nestjs/common';
import { EventEraser } from './event-eraser.js';
import { EventRecorder } from './event-recorder.js';
import { BulkCreator } from './bulk-creator.js';
import { BulkWriter } from './bulk-writer.js';
import { ResourceWriter } from './resource-writer.js';

/** Provides the writers of resources and their history. */
@Global()
@Module({
  providers: [EventEraser, EventRecorder, ResourceWriter, BulkWriter, BulkCreator],
  exports: [EventEraser, EventRecorder, ResourceWriter, BulkWriter, BulkCreator],
})
export class EventsModule {}
