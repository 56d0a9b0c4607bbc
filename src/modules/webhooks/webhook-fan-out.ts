import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { FeedConsumers, type FeedConsumer } from '../activity/feed/feed-consumers.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookFeedRepository } from './webhook-feed.repository.js';

/** Creates deliveries for new entries of the feed. Events of messages are not delivered. */
@Injectable()
export class WebhookFanOut implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly consumer: FeedConsumer;

  constructor(
    consumers: FeedConsumers,
    clock: Clock,
    database: Database,
    dispatcher: WebhookDispatcher,
    repository: WebhookFeedRepository,
  ) {
    this.consumer = consumers.of('webhook_events', repository, async (entries) => {
      const deliverable = entries.filter(({ entityType }) => entityType !== 'message');
      if (deliverable.length === 0 || !(await repository.lockInterested(deliverable))) return;
      const isAdded = await repository.addDeliveries(deliverable, clock.now());
      if (isAdded) database.afterCommit(() => dispatcher.wake());
    });
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.consumer.stop();
  }
}
