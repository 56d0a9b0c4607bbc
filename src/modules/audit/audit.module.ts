import { Module } from '@nestjs/common';
import { PartitionUpkeep } from '../../platform/partitions/partition-upkeep.js';
import { AuditController } from './audit.controller.js';
import { AUDIT_PARTITIONS } from './audit.partitions.js';
import { AuditRepository } from './audit.repository.js';
import { AuditSealing } from './audit-sealing.service.js';
import { AuditService } from './audit.service.js';
import { AuditSinkRepository } from './sinks/audit-sink.repository.js';
import { AuditSinkService } from './sinks/audit-sink.service.js';

/** Seals, lists and sends out security-relevant actions. */
@Module({
  controllers: [AuditController],
  providers: [AuditRepository, AuditSealing, AuditService, AuditSinkRepository, AuditSinkService],
})
export class AuditModule {
  constructor(partitions: PartitionUpkeep) {
    for (const table of AUDIT_PARTITIONS) partitions.register(table);
  }
}
