import { Global, Module } from '@nestjs/common';
import { PartitionUpkeep } from '../partitions/partition-upkeep.js';
import { AUDIT_PARTITIONS } from './audit.partitions.js';
import { AuditTrail } from './audit-trail.js';
import { RefusalTally } from './refusal-tally.js';
import { SignInsRepository } from './sign-ins.repository.js';

/** Provides the recording of security-relevant actions. */
@Global()
@Module({
  providers: [AuditTrail, RefusalTally, SignInsRepository],
  exports: [AuditTrail, RefusalTally, SignInsRepository],
})
export class AuditTrailModule {
  constructor(partitions: PartitionUpkeep) {
    for (const table of AUDIT_PARTITIONS) partitions.register(table);
  }
}
