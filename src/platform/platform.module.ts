import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuditTrailModule } from './audit/audit.module.js';
import { EventsModule } from './events/events.module.js';
import { ContainmentModule } from './containment/containment.module.js';
import { FilesModule } from './files/files.module.js';
import { TransitionGuardsModule } from './transitions/transition-guards.module.js';
import { HealthModule } from './health/health.module.js';
import { Idempotency } from './http/requests/idempotency.js';
import { ApiExceptionFilter } from './http/responses/api-exception.filter.js';
import { RequestContext } from './context/request-context.js';
import { RouteTable } from './http/server/route-table.js';
import { SubRequests } from './context/sub-requests.js';
import { ResponseBufferLimiter } from './http/server/response-buffer-limiter.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { ListingModule } from './listing/listing.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OutgoingModule } from './outgoing/outgoing.module.js';
import { PartitionsModule } from './partitions/partitions.module.js';
import { ReplicasModule } from './replicas/replicas.module.js';
import { TextObserversModule } from './text-observers/text-observers.module.js';
import { TracingModule } from './tracing/tracing.module.js';

/** Infrastructure that knows no feature. */
@Global()
@Module({
  imports: [
    AuditTrailModule,
    EventsModule,
    ContainmentModule,
    FilesModule,
    TransitionGuardsModule,
    HealthModule,
    JobsModule,
    LimitsModule,
    ListingModule,
    MailModule,
    MetricsModule,
    OutgoingModule,
    PartitionsModule,
    ReplicasModule,
    TextObserversModule,
    TracingModule,
  ],
  providers: [
    Idempotency,
    RequestContext,
    RouteTable,
    ResponseBufferLimiter,
    SubRequests,
    ApiExceptionFilter,
    { provide: APP_FILTER, useExisting: ApiExceptionFilter },
  ],
  exports: [Idempotency, RequestContext, RouteTable, ResponseBufferLimiter, SubRequests, ApiExceptionFilter],
})
export class PlatformModule {}
