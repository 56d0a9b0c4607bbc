import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventEraser } from '../../../platform/events/event-eraser.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { FeedRepository } from './feed.repository.js';

const HOUR_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Deletes entries older than EVENTS_DAYS from the feed, in small batches. */
@Injectable()
export class FeedRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly eventEraser: EventEraser,
    private readonly feed: FeedRepository,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.every('feed_retention', HOUR_MS, () => this.drop());
  }

  private async drop(): Promise<void> {
    while (await this.dropBatch()) continue;
  }

  /** Returns whether more entries may be old. The commit that deletes entries also updates the oldest sequence. */
  private dropBatch(): Promise<boolean> {
    return this.database.transaction(() =>
      this.eventEraser.unlocked(async () => {
        const dropped = await this.feed.dropOlderThan(this.settings.EVENTS_DAYS, BATCH_SIZE);
        return dropped === BATCH_SIZE;
      }),
    );
  }
}
