import { Global, Module } from '@nestjs/common';
import { Tracing } from './tracing.js';

/** Provides traces. */
@Global()
@Module({ providers: [Tracing], exports: [Tracing] })
export class TracingModule {}
