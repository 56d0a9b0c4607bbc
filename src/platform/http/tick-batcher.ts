import { AsyncResource } from 'node:async_hooks';

/**
 * Does a few pieces of work in each turn of the event loop, in their order. Node tells of all that has arrived or has to
 * be given up within one turn; done at once, a thousand of them block all other requests until the last one is done.
 */
export class TickBatcher {
  private readonly waiting: (() => void)[] = [];
  private isDue = false;

  constructor(private readonly most: number) {}

  add(work: () => void): void {
    // It keeps the asynchronous context in which it was added.
    this.waiting.push(AsyncResource.bind(work));
    this.continueSoon();
  }

  private continueSoon(): void {
    if (this.isDue || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      for (const work of this.waiting.splice(0, this.most)) work();
      this.continueSoon();
    });
  }
}
