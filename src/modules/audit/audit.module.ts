import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditSealing } from './audit-sealing.service.js';
import { AuditService } from './audit.service.js';

/** Seals and lists security-relevant actions. */
@Module({ controllers: [AuditController], providers: [AuditRepository, AuditSealing, AuditService] })
export class AuditModule {}
