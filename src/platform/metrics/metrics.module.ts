import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { ProcessMetrics } from './process-metrics.js';

/** Provides the port where figures are registered, and those of the process. */
@Global()
@Module({ providers: [Metrics, ProcessMetrics], exports: [Metrics] })
export class MetricsModule {}
