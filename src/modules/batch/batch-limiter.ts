import { Injectable } from '@nestjs/common';
import { UserConcurrencyLimiter } from '../../access/operations/user-concurrency-limiter.js';

/** Limits concurrent batches, in total and to one per user, so that other requests find free database connections. */
@Injectable()
export class BatchLimiter extends UserConcurrencyLimiter {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 100, waitingPerUser: 5 });
  }
}
