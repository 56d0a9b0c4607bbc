import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Housekeeping } from '../platform/jobs/housekeeping.js';

/** Forgets sessions that have been over for a month. */
@Injectable()
export class SessionUpkeep implements OnModuleInit {
  constructor(private readonly housekeeping: Housekeeping) {}

  onModuleInit(): void {
    this.housekeeping.discard('sessions', "least(ended_at, expires_at) < now() - interval '30 days'");
  }
}
