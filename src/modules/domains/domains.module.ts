import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { UsersModule } from '../users/users.module.js';
import { DomainChecks } from './domain-checks.service.js';
import { domainErasing } from './domain.containment.js';
import { DomainRecords } from './domain-records.js';
import { DomainsController } from './domains.controller.js';
import { DomainsRepository } from './domains.repository.js';
import { DomainsService } from './domains.service.js';

/** The domains of e-mail addresses that belong to organizations. */
@Module({
  imports: [UsersModule],
  controllers: [DomainsController],
  providers: [DomainChecks, DomainRecords, DomainsRepository, DomainsService],
  exports: [DomainsService],
})
export class DomainsModule {
  constructor(eraser: ContainerEraser) {
    eraser.register(domainErasing);
  }
}
