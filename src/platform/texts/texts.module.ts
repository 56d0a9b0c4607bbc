import { Global, Module } from '@nestjs/common';
import { Texts } from './texts.js';

/** Hands out the panel of what is written. */
@Global()
@Module({ providers: [Texts], exports: [Texts] })
export class TextsModule {}
