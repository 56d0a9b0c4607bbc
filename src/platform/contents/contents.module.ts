import { Global, Module } from '@nestjs/common';
import { Contents } from './contents.js';
import { Exports } from './exports.js';

/** Hands out the panel of what lies in containers, and sends it as a whole. */
@Global()
@Module({ providers: [Contents, Exports], exports: [Contents, Exports] })
export class ContentsModule {}
