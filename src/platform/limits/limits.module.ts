import { Global, Module } from '@nestjs/common';
import { Counters } from './counters.js';
import { Limits } from './limits.js';
import { StreamTurns } from './stream-turns.js';

/** Hands out what is counted for all replicas. */
@Global()
@Module({ providers: [Counters, Limits, StreamTurns], exports: [Counters, Limits, StreamTurns] })
export class LimitsModule {}
