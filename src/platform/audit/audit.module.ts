import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import { RefusalTally } from './refusal-tally.js';

/** Hands out what records security-relevant acts. */
@Global()
@Module({ providers: [AuditTrail, RefusalTally], exports: [AuditTrail, RefusalTally] })
export class AuditTrailModule {}
