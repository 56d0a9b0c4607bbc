import { ApiError } from '../../common/errors.js';

export interface FairQueueLimits {
  /** How many pieces of work run at once, in all and for one user. */
  atOnce: number;
  atOncePerUser: number;
  /** How many wait, in all and for one user. */
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
  /** The users who have something running or waiting, the one whose turn it is first. */
  private readonly lines = new Map<string, Line>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Does the work in its turn; 429 if too much of this user waits already, 503 if too much of all users does. */
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

  /** Calls the first user who has something waiting and a place for it, and puts them behind the others. */
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
