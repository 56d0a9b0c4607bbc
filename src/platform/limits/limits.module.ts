import { Global, Module } from '@nestjs/common';
import { Counters } from './counters.js';
import { Limits } from './limits.js';
import { ExportLimiter } from './export-limiter.js';

/** Provides limits that all replicas share. */
@Global()
@Module({ providers: [Counters, Limits, ExportLimiter], exports: [Counters, Limits, ExportLimiter] })
export class LimitsModule {}
