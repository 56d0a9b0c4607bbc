import { Global, Module } from '@nestjs/common';
import { Counters } from './counters.js';
import { Limits } from './limits.js';
import { StreamTurns } from './stream-turns.js';

/** Provides limits that all replicas share. */
@Global()
@Module({ providers: [Counters, Limits, StreamTurns], exports: [Counters, Limits, StreamTurns] })
export class LimitsModule {}
