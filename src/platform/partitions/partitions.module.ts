import { Global, Module } from '@nestjs/common';
import { Partitions } from './partitions.js';

/** Keeps the partitions of tables that have one for each month. */
@Global()
@Module({ providers: [Partitions], exports: [Partitions] })
export class PartitionsModule {}
