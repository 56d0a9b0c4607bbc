import { ApiError } from '../../common/errors.js';

export interface FairQueueLimits {
  /** The maximum number of concurrent tasks, in total and per user. */
  atOnce: number;
  atOncePerUser: number;
  /** The maximum number of waiting tasks, in total and per user. */
  waiting: number;
  waitingPerUser: number;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * Distributes a limited number of slots fairly among users: many requests of one user wait for each other without
 * delaying others. If `atOnce` is more than `atOncePerUser`, a single user cannot occupy all slots.
 */
export class FairQueue {
  /** The users with running or waiting tasks; the first one is next. */
  private readonly lines = new Map<string, Line>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs the work in its turn; 429 if too much work of this user waits already, 503 if too much of all users does. */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(user) ?? { running: 0, waiting: [] };
    this.lines.set(user, line);
    if (this.hasPlaceFor(line)) this.begin(line);
    else await this.turnOf(line);
    try {
      return await work();
    } finally {
      this.end(user, line);
    }
  }

  private hasPlaceFor({ running }: Line): boolean {
    return this.running < this.limits.atOnce && running < this.limits.atOncePerUser;
  }

  private turnOf(line: Line): Promise<void> {
    if (line.waiting.length >= this.limits.waitingPerUser) {
      throw new ApiError(
        'rate_limited',
        'Too many of your requests of this kind are waiting; try again in a moment.',
        undefined,
        2,
      );
    }
    if (this.waiting >= this.limits.waiting) {
      throw new ApiError(
        'unavailable',
        'Too many requests of this kind are waiting; try again in a moment.',
        undefined,
        2,
      );
    }
    this.waiting += 1;
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  private begin(line: Line): void {
    this.running += 1;
    line.running += 1;
  }

  private end(user: string, line: Line): void {
    this.running -= 1;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(user);
    this.callNext();
  }

  /** Starts the next task of the first user who may run one, and moves that user to the end. */
  private callNext(): void {
    for (const [user, line] of this.lines) {
      if (line.waiting.length === 0 || !this.hasPlaceFor(line)) continue;
      this.lines.delete(user);
      this.lines.set(user, line);
      this.waiting -= 1;
      this.begin(line);
      line.waiting.shift()?.();
      return;
    }
  }
}
