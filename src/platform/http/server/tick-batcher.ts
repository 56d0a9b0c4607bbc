import { AsyncResource } from 'node:async_hooks';

/**
 * Runs a few queued tasks in each turn of the event loop, in order. Node reports all arrivals and timeouts of a turn
 * together; a thousand of them at once would block all other requests.
 */
export class TickBatcher {
  private readonly waiting: (() => void)[] = [];
  private isDue = false;

  constructor(private readonly maxPerTurn: number) {}

  add(work: () => void): void {
    // Keeps the asynchronous context of its creation.
    this.waiting.push(AsyncResource.bind(work));
    this.continueSoon();
  }

  private continueSoon(): void {
    if (this.isDue || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      for (const work of this.waiting.splice(0, this.maxPerTurn)) work();
      this.continueSoon();
    });
  }
}
