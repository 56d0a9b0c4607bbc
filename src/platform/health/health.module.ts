import { Global, Module } from '@nestjs/common';
import { HealthCheck } from './health.js';
import { Readiness } from './readiness.js';
import { WriteProbe } from './write-probe.js';

/** Hands out how the process and its database are doing. */
@Global()
@Module({ providers: [HealthCheck, Readiness, WriteProbe], exports: [HealthCheck, Readiness] })
export class HealthModule {}
