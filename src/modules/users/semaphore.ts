import { ApiError } from '../../common/errors.js';

/** Limits the number of concurrent and waiting tasks; further ones are rejected with a retry time. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly mostRunning: number,
    private readonly mostWaiting: number,
  ) {}

  /** The numbers of running and of waiting tasks. */
  get state(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting.length };
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<void> | undefined {
    if (this.running < this.mostRunning) {
      this.running += 1;
      return undefined;
    }
    if (this.waiting.length >= this.mostWaiting) {
      throw new ApiError('unavailable', 'Too many sign-ins are in progress; try again in a moment.', undefined, 2);
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Passes the slot to the task that has waited longest, or frees it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
