import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Loop } from '../../platform/jobs/loop.js';
import { FeedHead } from '../activity/feed-head.js';
import { FeedRepository } from '../activity/feed.repository.js';
import { RuleRunsRepository } from '../rules/rule-runs.repository.js';
import { RuleWorker } from '../rules/rule-worker.js';

const PAUSE_MS = 500;
const BATCH_SIZE = 500;

/**
 * Creates runs of rules for new entries of the feed. The position and the runs are committed together, so that every event
 * triggers a rule at most once, even if the process is killed. What rules write triggers none.
 */
@Injectable()
export class RuleFanOut implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('the events of rules', () => this.next(), PAUSE_MS);
  /** The last entry that this process knows to be processed. */
  private processed = -1;

  constructor(
    private readonly database: Database,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly repository: RuleRunsRepository,
    private readonly settings: Settings,
    private readonly worker: RuleWorker,
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
    const triggering = entries.filter(({ entityType, ruleId }) => entityType !== 'message' && ruleId === null);
    if (triggering.length > 0 && (await this.repository.add(triggering))) {
      this.database.afterCommit(() => this.worker.wake());
    }
    const last = entries.at(-1)?.sequence ?? 0;
    const reached = entries.length === BATCH_SIZE ? last : Math.max(position, head, last);
    if (reached > position) await this.repository.advance(reached);
    return reached;
  }
}
