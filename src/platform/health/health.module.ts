import { Global, Module } from '@nestjs/common';
import { HealthCheck } from './health.js';
import { Readiness } from './readiness.js';

/** Hands out how the process and its database are doing. */
@Global()
@Module({ providers: [HealthCheck, Readiness], exports: [HealthCheck, Readiness] })
export class HealthModule {}
