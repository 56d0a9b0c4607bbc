import { Global, Module } from '@nestjs/common';
import { Gates } from './gates.js';

/** Hands out the panel of moves that need the consent of an area above. */
@Global()
@Module({ providers: [Gates], exports: [Gates] })
export class GatesModule {}
