import { Global, Module } from '@nestjs/common';
import { Writes } from './writes.js';

/** Hands out the write door. */
@Global()
@Module({ providers: [Writes], exports: [Writes] })
export class ChangesModule {}
