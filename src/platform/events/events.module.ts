import { Global, Module } from '@nestjs/common';
import { EventEraser } from './event-eraser.js';
import { BulkWriter } from './bulk-writer.js';
import { ResourceWriter } from './resource-writer.js';

/** Hands out what writes resources and their history. */
@Global()
@Module({ providers: [EventEraser, ResourceWriter, BulkWriter], exports: [EventEraser, ResourceWriter, BulkWriter] })
export class EventsModule {}
