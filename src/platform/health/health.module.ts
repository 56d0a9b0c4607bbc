import { Global, Module } from '@nestjs/common';
import { Readiness } from './readiness.js';

/** Hands out the state of the process. */
@Global()
@Module({ providers: [Readiness], exports: [Readiness] })
export class HealthModule {}
