import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FairQueue, type FairQueueLimits } from '../platform/limits/fair-queue.js';
import { callerOf } from './jwt.guard.js';

/**
 * Lets requests of one kind wait for their turn before they take a connection. Stands below the route, so that it begins
 * before the transaction, under whose idempotency key a request would hold a connection while it waits.
 */
export abstract class UserConcurrencyLimiter implements NestInterceptor {
  private readonly queue: FairQueue;

  protected constructor(limits: FairQueueLimits) {
    this.queue = new FairQueue(limits);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { userId } = callerOf(context);
    return from(this.queue.run(userId, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}
