import { Global, Module } from '@nestjs/common';
import { TextObservers } from './text-observers.js';

/** Provides the registry of text observers. */
@Global()
@Module({ providers: [TextObservers], exports: [TextObservers] })
export class TextObserversModule {}
