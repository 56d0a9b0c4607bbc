import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { FEED_BATCH_SIZE, FeedConsumers, type FeedConsumer } from '../activity/feed/feed-consumers.js';
import { NotificationFeedRepository } from './notification-feed.repository.js';

const PAUSE_MS = 1_000;
const DUE_BATCH_SIZE = 500;
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
  private readonly consumer: FeedConsumer;

  constructor(
    private readonly clock: Clock,
    consumers: FeedConsumers,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly repository: NotificationFeedRepository,
  ) {
    this.consumer = consumers.doing('notifications', {
      position: () => repository.position(),
      lockPosition: async () => (await repository.lockPosition()).position,
      advanceFrom: async (position, { head }) =>
        position >= head ? position : ((await repository.addFromFeed(position, FEED_BATCH_SIZE, clock.now())) ?? head),
      pauseMs: PAUSE_MS,
    });
  }

  onModuleInit(): void {
    this.jobs.every('due_notifications', DUE_EVERY_MS, () => this.addDue());
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.consumer.stop();
  }

  /** Processes everything that was committed before the call. */
  catchUp(): Promise<void> {
    return this.consumer.catchUp(MAX_PER_REQUEST);
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
    return position.at < now && (await this.repository.addDue(position, now, DUE_BATCH_SIZE));
  }
}
