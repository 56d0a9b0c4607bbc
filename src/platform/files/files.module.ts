import { Global, Module } from '@nestjs/common';
import { FileStore } from './file-store.js';

/** The store of uploaded files. */
@Global()
@Module({ providers: [FileStore], exports: [FileStore] })
export class FilesModule {}
