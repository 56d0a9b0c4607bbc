import { Module } from '@nestjs/common';
import { BatchController } from './batch.controller.js';
import { BatchService } from './batch.service.js';
import { BatchLimiter } from './batch-limiter.js';

/** Executes several requests that are sent as one. */
@Module({ controllers: [BatchController], providers: [BatchService, BatchLimiter] })
export class BatchModule {}
