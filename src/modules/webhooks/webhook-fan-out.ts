import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Loop } from '../../platform/jobs/loop.js';
import { FeedHead } from '../activity/feed-head.js';
import { FeedRepository } from '../activity/feed.repository.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookFeedRepository } from './webhook-feed.repository.js';

const PAUSE_MS = 500;
const BATCH_SIZE = 500;

/**
 * Creates deliveries for new feed entries. The position and the deliveries are committed together, so every event is
 * processed exactly once, even if the process is killed. Events of messages are not delivered.
 */
@Injectable()
export class WebhookFanOut implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('the events of webhooks', () => this.next(), PAUSE_MS);
  /** The last feed entry that this process knows to be processed. */
  private processed = -1;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly dispatcher: WebhookDispatcher,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly repository: WebhookFeedRepository,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Processes the next entries of the feed; returns whether there may be more. */
  private async next(): Promise<boolean> {
    const since = await this.repository.earliestStart();
    if (since === undefined) return false;
    const head = await this.head.assignSequences();
    if (head <= this.processed) return false;
    const reached = await this.database.transaction(() => this.advance(since, head));
    if (reached === undefined) return false;
    this.processed = Math.max(this.processed, Math.min(reached, head));
    return reached < head;
  }

  private async advance(since: number, head: number): Promise<number | undefined> {
    const position = await this.repository.lockPosition();
    if (position === undefined) return undefined;
    const entries = await this.feed.entries(Math.max(position, since), BATCH_SIZE);
    const deliverable = entries.filter(({ entityType }) => entityType !== 'message');
    if (deliverable.length > 0 && (await this.repository.lockInterested(deliverable))) {
      const isAdded = await this.repository.addDeliveries(deliverable, this.clock.now());
      if (isAdded) this.database.afterCommit(() => this.dispatcher.wake());
    }
    const last = entries.at(-1)?.sequence ?? 0;
    const reached = entries.length === BATCH_SIZE ? last : Math.max(position, head, last);
    if (reached > position) await this.repository.advance(reached);
    return reached;
  }
}
