import { Global, Module } from '@nestjs/common';
import { Sweeps } from './sweeps.js';
import { Writes } from './writes.js';

/** Hands out the write doors. */
@Global()
@Module({ providers: [Writes, Sweeps], exports: [Writes, Sweeps] })
export class ChangesModule {}
