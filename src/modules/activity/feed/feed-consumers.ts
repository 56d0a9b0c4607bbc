import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { Loop } from '../../../platform/jobs/loop.js';
import { Metrics, type QueueState } from '../../../platform/metrics/metrics.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';

const PAUSE_MS = 500;
/** The most entries that a consumer processes in one transaction. */
export const FEED_BATCH_SIZE = 500;

/** The position of a consumer, which all replicas share. */
interface FeedPosition {
  /** The earliest sequence after which there is something to do; undefined if nothing is to be done at all. */
  earliestStart(): Promise<number | undefined>;
  /** The position, without locking it. */
  position(): Promise<number>;
  /** Locks the position and returns it; undefined if another replica has locked it. */
  lockPosition(): Promise<number | undefined>;
  advance(position: number): Promise<void>;
}

/** What a consumer does, in the transaction that locks its position. */
interface FeedWork
  extends Pick<FeedPosition, 'lockPosition' | 'position'>, Partial<Pick<FeedPosition, 'earliestStart'>> {
  /** Processes the next entries, advances the position, and returns the sequence that it reached. */
  advanceFrom(position: number, limits: { since: number; head: number }): Promise<number>;
  pauseMs: number;
}

type Entries = Awaited<ReturnType<FeedRepository['entries']>>;

/** Makes loops that process the feed. */
@Injectable()
export class FeedConsumers {
  constructor(
    private readonly database: Database,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  /**
   * `name` is that of the queue in the metrics and in the log. `process` runs in the transaction that advances the position, so that every entry is processed
   * exactly once, even if the process is killed.
   */
  of(name: string, position: FeedPosition, process: (entries: Entries) => Promise<void>): FeedConsumer {
    return this.doing(name, {
      earliestStart: () => position.earliestStart(),
      position: () => position.position(),
      lockPosition: () => position.lockPosition(),
      advanceFrom: async (processed, { since, head }) => {
        const entries = await this.feed.entries(Math.max(processed, since), FEED_BATCH_SIZE);
        await process(entries);
        const last = entries.at(-1)?.sequence ?? 0;
        const reached = entries.length === FEED_BATCH_SIZE ? last : Math.max(processed, head, last);
        if (reached > processed) await position.advance(reached);
        return reached;
      },
      pauseMs: PAUSE_MS,
    });
  }

  /** Makes the loop of a consumer whose own statements read the entries and advance the position. */
  doing(name: string, work: FeedWork): FeedConsumer {
    const { database, head, settings } = this;
    this.metrics.queue(name, () => this.waiting(work));
    return new FeedConsumer(name, work, { database, head, settings });
  }

  /** What the consumer has not processed yet; nothing if it has nothing to do. */
  private async waiting({ earliestStart, position }: FeedWork): Promise<QueueState> {
    const since = earliestStart === undefined ? 0 : await earliestStart();
    if (since === undefined) return { length: 0, oldestSeconds: 0 };
    return this.head.waitingAfter(Math.max(since, await position()));
  }
}

/** Processes the entries of the feed, at most {@link FEED_BATCH_SIZE} at a time. */
export class FeedConsumer {
  private readonly loop: Loop;
  /** The last entry that this process knows to be processed. */
  private processed = -1;

  constructor(
    name: string,
    private readonly work: FeedWork,
    private readonly services: { database: Database; head: FeedHead; settings: Settings },
  ) {
    this.loop = new Loop(name, () => this.next(), work.pauseMs);
  }

  start(): void {
    if (this.services.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Processes what was committed before the call, up to about `maxEntries`. */
  async catchUp(maxEntries: number): Promise<void> {
    for (let count = 0; count < maxEntries && (await this.next()); count += FEED_BATCH_SIZE) continue;
  }

  /** Processes the next entries; returns whether there may be more. */
  private async next(): Promise<boolean> {
    const { database, head: feedHead } = this.services;
    const since = this.work.earliestStart === undefined ? 0 : await this.work.earliestStart();
    if (since === undefined) return false;
    const head = await feedHead.assignSequences();
    if (head <= this.processed) return false;
    // A request can be restricted to what its token may access; the entries are for all users.
    const reached = await database.unconfined(() => database.transaction(() => this.advance(since, head)));
    if (reached === undefined) return false;
    this.processed = Math.max(this.processed, reached);
    return reached < head;
  }

  private async advance(since: number, head: number): Promise<number | undefined> {
    const position = await this.work.lockPosition();
    return position === undefined ? undefined : this.work.advanceFrom(position, { since, head });
  }
}
