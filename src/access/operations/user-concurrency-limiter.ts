import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FairQueue, type FairQueueLimits } from '../../platform/limits/fair-queue.js';
import { callerOf } from '../authentication/jwt.guard.js';

/**
 * Limits the number of concurrent requests to a route, in total and per user with the agents that the user manages; further requests wait in a queue without a
 * database connection. `@UseInterceptors` is placed below the route decorator, so that the limiter runs before the
 * transaction begins: a request with an idempotency key would otherwise keep a connection while it waits.
 */
export abstract class UserConcurrencyLimiter implements NestInterceptor {
  private readonly queue: FairQueue;

  protected constructor(limits: FairQueueLimits) {
    this.queue = new FairQueue(limits);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { userId, managerId } = callerOf(context);
    return from(this.queue.run(managerId ?? userId, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}
