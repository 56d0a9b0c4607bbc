import { Global, Module } from '@nestjs/common';
import { TransitionGuards } from './transition-guards.js';

/** Hands out the panel of moves that need the consent of an area above. */
@Global()
@Module({ providers: [TransitionGuards], exports: [TransitionGuards] })
export class TransitionGuardsModule {}
