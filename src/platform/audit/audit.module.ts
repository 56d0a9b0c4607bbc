import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import { RefusalTally } from './refusal-tally.js';

/** Provides the recording of security-relevant actions. */
@Global()
@Module({ providers: [AuditTrail, RefusalTally], exports: [AuditTrail, RefusalTally] })
export class AuditTrailModule {}
