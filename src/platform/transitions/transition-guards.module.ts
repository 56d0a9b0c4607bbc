import { Global, Module } from '@nestjs/common';
import { TransitionGuards } from './transition-guards.js';

/** Provides the registry of transition guards. */
@Global()
@Module({ providers: [TransitionGuards], exports: [TransitionGuards] })
export class TransitionGuardsModule {}
