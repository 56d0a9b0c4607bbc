import { Global, Module } from '@nestjs/common';
import { HealthCheck } from './health.js';
import { Readiness } from './readiness.js';
import { WriteProbe } from './write-probe.js';

/** Provides the health of the process and its database. */
@Global()
@Module({ providers: [HealthCheck, Readiness, WriteProbe], exports: [HealthCheck, Readiness] })
export class HealthModule {}
