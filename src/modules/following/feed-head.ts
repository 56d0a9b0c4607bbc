import { Injectable } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

/** Brings the feed up to date for all who ask in this process at the same time, with one statement. */
@Injectable()
export class FeedHead {
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;

  constructor(private readonly feed: FeedRepository) {}

  /**
   * The last sequence, once everything that was committed before the call has one. Who asks while a run is under way
   * waits for the one behind it, which begins after the call.
   */
  reach(): Promise<number> {
    if (this.running === undefined) return this.run();
    this.next ??= this.running.then(
      () => this.run(),
      () => this.run(),
    );
    return this.next;
  }

  private run(): Promise<number> {
    this.next = undefined;
    this.running = this.feed.number().finally(() => (this.running = undefined));
    return this.running;
  }
}
