import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../../access/jwt.guard.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';

/** Batches of one user run one after the other, and all batches together leave most connections to other requests. */
const TURNS = { atOnce: 3, atOncePerUser: 1, waiting: 100, waitingPerUser: 5 };

/** Queues batches before they take a connection. */
@Injectable()
export class BatchTurns implements NestInterceptor {
  private readonly queue = new FairQueue(TURNS);

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { userId } = callerOf(context);
    return from(this.queue.run(userId, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}
