import { Logger } from '@nestjs/common';

/** Does one piece of work again and again: when woken, else after a pause. Never twice at a time. */
export class Loop {
  private readonly log = new Logger('Worker');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private isStopped = false;

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly pauseMs: number,
  ) {}

  get isIdle(): boolean {
    return this.running === undefined && !this.isStopped;
  }

  /** Works now, and once more afterwards where it is already working. */
  wake(): void {
    this.wanted = true;
    if (this.isIdle) this.running = this.run();
  }

  /** Begins nothing any more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    while (this.wanted && !this.isStopped) {
      this.wanted = false;
      await this.work().catch((error: unknown) => this.log.warn(`trying again later: ${String(error)}`));
    }
    this.running = undefined;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.pauseMs).unref();
  }
}
