import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Loop } from '../../platform/jobs/loop.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { FeedHead } from '../activity/feed-head.js';
import { NotificationFeedRepository } from './notification-feed.repository.js';

const PAUSE_MS = 1_000;
const BATCH_SIZE = 500;
/** The maximum number of entries that a list request processes first; workers process the rest. */
const MAX_PER_REQUEST = 2_000;
const DUE_EVERY_MS = 10 * 60_000;
/** Due dates that passed earlier than this, while no replica was running, cause no notification. */
const LONGEST_GAP_MS = 2 * 86_400_000;

/**
 * Derives notifications from new feed entries, so that writes do not have to. The position and the notifications are
 * committed together, under a lock between replicas. Lists process new entries first, so that they are up to date.
 */
@Injectable()
export class NotificationMaker implements OnApplicationBootstrap, OnModuleDestroy, OnModuleInit {
  private readonly loop = new Loop('notifications', () => this.advance(), PAUSE_MS);
  /** The last feed entry that this process knows to be processed. */
  private processed = -1;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly head: FeedHead,
    private readonly jobs: Jobs,
    private readonly repository: NotificationFeedRepository,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    metrics.queue('notifications', async () => head.waitingAfter(await repository.position()));
  }

  onModuleInit(): void {
    this.jobs.every('due_notifications', DUE_EVERY_MS, () => this.addDue());
  }

  onApplicationBootstrap(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Processes everything that was committed before the call. */
  async catchUp(): Promise<void> {
    for (let count = 0; count < MAX_PER_REQUEST && (await this.advance()); count += BATCH_SIZE) continue;
  }

  /** Processes the next entries of the feed; returns whether there may be more. */
  private async advance(): Promise<boolean> {
    const head = await this.head.assignSequences();
    if (head <= this.processed) return false;
    const reached = await this.database.unconfined(() =>
      this.database.transaction(async () => {
        const { position } = await this.repository.lockPosition();
        if (position >= head) return position;
        return (await this.repository.addFromFeed(position, BATCH_SIZE, this.clock.now())) ?? head;
      }),
    );
    this.processed = Math.max(this.processed, reached);
    return reached < head;
  }

  private async addDue(): Promise<void> {
    const now = this.clock.now();
    while (await this.database.transaction(() => this.addNextDue(now))) continue;
  }

  /** Processes the next due tasks; returns whether there may be more. */
  private async addNextDue(now: Date): Promise<boolean> {
    const { due } = await this.repository.lockPosition();
    const oldest = new Date(now.getTime() - LONGEST_GAP_MS);
    const position = due.at < oldest ? { at: oldest, taskId: '' } : due;
    return position.at < now && (await this.repository.addDue(position, now, BATCH_SIZE));
  }
}
