import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import { RefusalTally } from './refusal-tally.js';
import { SignInsRepository } from './sign-ins.repository.js';

/** Provides the recording of security-relevant actions. */
@Global()
@Module({
  providers: [AuditTrail, RefusalTally, SignInsRepository],
  exports: [AuditTrail, RefusalTally, SignInsRepository],
})
export class AuditTrailModule {}
