import { Global, Module } from '@nestjs/common';
import { Counters } from './counters.js';
import { Limits } from './limits.js';

/** Hands out what is counted for all replicas. */
@Global()
@Module({ providers: [Counters, Limits], exports: [Counters, Limits] })
export class LimitsModule {}
