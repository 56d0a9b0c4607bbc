import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';

/**
 * Repeats one task: when it is woken, while there is more to do, and otherwise after a pause. Runs do not overlap.
 */
export class Loop {
  private readonly log = new Logger('Worker');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = false;
  /** Prevents that work inherits the context (such as the transaction) of the request that woke it. */
  private readonly inOwnContext = AsyncResource.bind((task: () => Promise<void>) => task());

  constructor(
    /** What it works on, for the log. */
    private readonly name: string,
    /** Processes one item and returns whether there may be another. */
    private readonly work: () => Promise<boolean>,
    private readonly pauseMs: number,
  ) {}

  get isIdle(): boolean {
    return this.running === undefined && !this.isStopped;
  }

  /** Runs now, or once more after the current run. */
  wake(): void {
    this.isWoken = true;
    if (this.isIdle) this.running = this.inOwnContext(() => this.run());
  }

  /** Starts no new work, and waits for running work. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      if (await this.attempt()) this.isWoken = true;
    }
    this.running = undefined;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.pauseMs).unref();
  }

  private async attempt(): Promise<boolean> {
    try {
      return await this.work();
    } catch (error) {
      const seconds = this.pauseMs / 1_000;
      this.log.warn(`The worker for ${this.name} failed, and tries again in ${seconds} s: ${String(error)}`);
      return false;
    }
  }
}
