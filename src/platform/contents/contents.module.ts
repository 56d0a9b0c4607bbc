import { Global, Module } from '@nestjs/common';
import { Contents } from './contents.js';

/** Hands out the panel of what lies in containers. */
@Global()
@Module({ providers: [Contents], exports: [Contents] })
export class ContentsModule {}
