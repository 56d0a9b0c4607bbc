import { Global, Module } from '@nestjs/common';
import { Erasures } from './erasures.js';
import { Sweeps } from './sweeps.js';
import { Writes } from './writes.js';

/** Hands out what writes resources and their history. */
@Global()
@Module({ providers: [Erasures, Writes, Sweeps], exports: [Erasures, Writes, Sweeps] })
export class ChangesModule {}
