import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuditTrailModule } from './audit/audit.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { ContentsModule } from './contents/contents.module.js';
import { GatesModule } from './gates/gates.module.js';
import { HealthModule } from './health/health.module.js';
import { Idempotency } from './http/idempotency.js';
import { FaultsFilter } from './http/faults.filter.js';
import { RequestFacts } from './http/request-facts.js';
import { RouteTable } from './http/route-table.js';
import { Unread } from './http/unread.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { ListingModule } from './listing/listing.module.js';
import { MailModule } from './mail/mail.module.js';
import { TextsModule } from './texts/texts.module.js';

/** Infrastructure that knows no feature. */
@Global()
@Module({
  imports: [
    AuditTrailModule,
    ChangesModule,
    ContentsModule,
    GatesModule,
    HealthModule,
    JobsModule,
    LimitsModule,
    ListingModule,
    MailModule,
    TextsModule,
  ],
  providers: [
    Idempotency,
    RequestFacts,
    RouteTable,
    Unread,
    FaultsFilter,
    { provide: APP_FILTER, useExisting: FaultsFilter },
  ],
  exports: [Idempotency, RequestFacts, RouteTable, Unread, FaultsFilter],
})
export class PlatformModule {}
