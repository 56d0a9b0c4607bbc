import { Global, Module } from '@nestjs/common';
import { PartitionUpkeep } from './partition-upkeep.js';

/** Keeps the partitions of tables that have one for each month. */
@Global()
@Module({ providers: [PartitionUpkeep], exports: [PartitionUpkeep] })
export class PartitionsModule {}
