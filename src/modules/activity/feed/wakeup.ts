import type { Waiter } from './feed-watch.js';

/** Lets a request wait for events until it is woken or ended, or a timeout has passed. */
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

  /** Waits until it is woken or ended, or the timeout has passed; returns whether it was woken. */
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
