import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { FeedConsumers, type FeedConsumer } from '../activity/feed/feed-consumers.js';
import { RuleRunsRepository } from '../rules/rule-runs.repository.js';
import { RuleWorker } from '../rules/rule-worker.js';

/** Creates runs of rules for new entries of the feed. What rules write triggers none. */
@Injectable()
export class RuleFanOut implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly consumer: FeedConsumer;

  constructor(consumers: FeedConsumers, database: Database, repository: RuleRunsRepository, worker: RuleWorker) {
    this.consumer = consumers.of('rule_events', repository, async (entries) => {
      const triggering = entries.filter(({ entityType, ruleId }) => entityType !== 'message' && ruleId === null);
      if (triggering.length > 0 && (await repository.add(triggering))) database.afterCommit(() => worker.wake());
    });
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.consumer.stop();
  }
}
