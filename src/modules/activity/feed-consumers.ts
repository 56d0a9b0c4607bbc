import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Loop } from '../../platform/jobs/loop.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';

const PAUSE_MS = 500;
const BATCH_SIZE = 500;

/** How far the feed is processed, which all replicas share. */
interface FeedPosition {
  /** The earliest sequence after which there is something to do; undefined if nothing is to be done at all. */
  earliestStart(): Promise<number | undefined>;
  /** Locks the position and returns it; undefined if another replica has locked it. */
  lockPosition(): Promise<number | undefined>;
  advance(position: number): Promise<void>;
}

type Entries = Awaited<ReturnType<FeedRepository['entries']>>;

/** Makes loops that process the feed. */
@Injectable()
export class FeedConsumers {
  constructor(
    private readonly database: Database,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly settings: Settings,
  ) {}

  /**
   * `name` is for the log. `process` runs in the transaction that advances the position, so that every entry is processed
   * exactly once, even if the process is killed.
   */
  of(name: string, position: FeedPosition, process: (entries: Entries) => Promise<void>): FeedConsumer {
    const { database, feed, head, settings } = this;
    return new FeedConsumer(name, position, process, { database, feed, head, settings });
  }
}

/** Processes the entries of the feed, 500 at a time. */
export class FeedConsumer {
  private readonly loop: Loop;
  /** The last entry that this process knows to be processed. */
  private processed = -1;

  constructor(
    name: string,
    private readonly position: FeedPosition,
    private readonly process: (entries: Entries) => Promise<void>,
    private readonly services: { database: Database; feed: FeedRepository; head: FeedHead; settings: Settings },
  ) {
    this.loop = new Loop(name, () => this.next(), PAUSE_MS);
  }

  start(): void {
    if (this.services.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Processes the next entries; returns whether there may be more. */
  private async next(): Promise<boolean> {
    const since = await this.position.earliestStart();
    if (since === undefined) return false;
    const head = await this.services.head.assignSequences();
    if (head <= this.processed) return false;
    const reached = await this.services.database.transaction(() => this.advance(since, head));
    if (reached === undefined) return false;
    this.processed = Math.max(this.processed, Math.min(reached, head));
    return reached < head;
  }

  private async advance(since: number, head: number): Promise<number | undefined> {
    const position = await this.position.lockPosition();
    if (position === undefined) return undefined;
    const entries = await this.services.feed.entries(Math.max(position, since), BATCH_SIZE);
    await this.process(entries);
    const last = entries.at(-1)?.sequence ?? 0;
    const reached = entries.length === BATCH_SIZE ? last : Math.max(position, head, last);
    if (reached > position) await this.position.advance(reached);
    return reached;
  }
}
