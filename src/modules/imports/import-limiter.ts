import { Injectable } from '@nestjs/common';
import { UserConcurrencyLimiter } from '../../access/operations/user-concurrency-limiter.js';

/** Limits concurrent uploads, because each can take minutes and 200 MiB of the disk. */
@Injectable()
export class ImportLimiter extends UserConcurrencyLimiter {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 10, waitingPerUser: 1 });
  }
}
