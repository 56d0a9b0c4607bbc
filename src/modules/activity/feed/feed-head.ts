import { Injectable } from '@nestjs/common';
import type { QueueState } from '../../../platform/metrics/metrics.js';
import { FeedRepository } from './feed.repository.js';

/** Assigns sequences to committed events, with one statement for all concurrent requests of this process. */
@Injectable()
export class FeedHead {
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;

  constructor(private readonly feed: FeedRepository) {}

  /** What a consumer that has processed the feed up to a sequence has not processed yet. */
  waitingAfter(sequence: number): Promise<QueueState> {
    return this.feed.waitingAfter(sequence);
  }

  /**
   * Assigns sequences to all events that were committed before the call, and returns the last sequence. A call during a
   * run waits for the next run, which begins after the call.
   */
  assignSequences(): Promise<number> {
    if (this.running === undefined) return this.run();
    this.next ??= this.running.then(
      () => this.run(),
      () => this.run(),
    );
    return this.next;
  }

  private run(): Promise<number> {
    this.next = undefined;
    this.running = this.feed.assignSequences().finally(() => (this.running = undefined));
    return this.running;
  }
}
