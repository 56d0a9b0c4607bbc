import { Injectable } from '@nestjs/common';
import { UserConcurrencyLimiter } from '../../access/user-concurrency-limiter.js';

/** One user's batches wait for each other, and all together leave most connections to others. */
@Injectable()
export class BatchLimiter extends UserConcurrencyLimiter {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 100, waitingPerUser: 5 });
  }
}
