import { Global, Module } from '@nestjs/common';
import { TextObservers } from './text-observers.js';

/** Hands out the panel of what is written. */
@Global()
@Module({ providers: [TextObservers], exports: [TextObservers] })
export class TextObserversModule {}
