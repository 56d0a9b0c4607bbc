import { ApiError } from '../../common/errors.js';
import { rateLimited } from './rate-limited.js';

const RETRY_SECONDS = 2;

export interface FairQueueLimits {
  /** The maximum number of concurrent tasks, in total and per user. */
  atOnce: number;
  atOncePerUser: number;
  /** The maximum number of waiting tasks, in total and per user. */
  waiting: number;
  waitingPerUser: number;
}

interface UserQueue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Distributes a limited number of slots fairly among users: many requests of one user wait for each other without
 * delaying others. If `atOnce` is more than `atOncePerUser`, a single user cannot occupy all slots.
 */
export class FairQueue {
  /** The users with running or waiting tasks; the first one is next. */
  private readonly queues = new Map<string, UserQueue>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs the work when a slot is free; 429 if too much work of this user is waiting, 503 if too much of all users. */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(user) ?? { running: 0, waiting: [] };
    this.queues.set(user, queue);
    if (this.hasSlotFor(queue)) this.occupySlot(queue);
    else await this.waitForSlot(queue);
    try {
      return await work();
    } finally {
      this.releaseSlot(user, queue);
    }
  }

  private hasSlotFor({ running }: UserQueue): boolean {
    return this.running < this.limits.atOnce && running < this.limits.atOncePerUser;
  }

  private waitForSlot(queue: UserQueue): Promise<void> {
    if (queue.waiting.length >= this.limits.waitingPerUser) {
      const most = this.limits.waitingPerUser;
      const counts = 'waiting requests of this kind of one user';
      throw rateLimited({ name: 'waiting_per_user', counts, most, seconds: null, setting: null }, RETRY_SECONDS);
    }
    if (this.waiting >= this.limits.waiting) {
      throw new ApiError(
        'unavailable',
        'Too many requests of this kind are waiting; try again in a moment.',
        undefined,
        RETRY_SECONDS,
      );
    }
    this.waiting += 1;
    return new Promise((resolve) => queue.waiting.push(resolve));
  }

  private occupySlot(queue: UserQueue): void {
    this.running += 1;
    queue.running += 1;
  }

  private releaseSlot(user: string, queue: UserQueue): void {
    this.running -= 1;
    queue.running -= 1;
    if (queue.running === 0 && queue.waiting.length === 0) this.queues.delete(user);
    this.startNext();
  }

  /** Starts the next task of the first user with a free slot, and moves that user to the end. */
  private startNext(): void {
    for (const [user, queue] of this.queues) {
      if (queue.waiting.length === 0 || !this.hasSlotFor(queue)) continue;
      this.queues.delete(user);
      this.queues.set(user, queue);
      this.waiting -= 1;
      this.occupySlot(queue);
      queue.waiting.shift()?.();
      return;
    }
  }
}
