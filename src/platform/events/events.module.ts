import { Global, Module } from '@nestjs/common';
import { EventEraser } from './event-eraser.js';
import { BulkCreator } from './bulk-creator.js';
import { BulkWriter } from './bulk-writer.js';
import { ResourceWriter } from './resource-writer.js';

/** Hands out what writes resources and their history. */
@Global()
@Module({
  providers: [EventEraser, ResourceWriter, BulkWriter, BulkCreator],
  exports: [EventEraser, ResourceWriter, BulkWriter, BulkCreator],
})
export class EventsModule {}
