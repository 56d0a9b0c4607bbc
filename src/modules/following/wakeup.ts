import type { Waiter } from './feed-watch.js';

/** One request that waits for events: asleep until it is woken, its time is over, or it has to end. */
export class Wakeup implements Waiter {
  isOver = false;
  private isWoken = false;
  private resume: (() => void) | undefined;

  constructor(
    readonly userId: string,
    readonly signInId: string,
    private readonly onEnd?: () => void,
  ) {}

  wake(): void {
    this.isWoken = true;
    this.resume?.();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd?.();
    this.resume?.();
  }

  /** Returns when it is woken or has to end, or after so many milliseconds; whether there may be something to see. */
  async sleep(ms: number): Promise<boolean> {
    if (!this.isWoken && !this.isOver) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref();
        this.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const { isWoken } = this;
    this.isWoken = false;
    this.resume = undefined;
    return isWoken;
  }
}
