import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** Hands out the clock. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class JobsModule {}
