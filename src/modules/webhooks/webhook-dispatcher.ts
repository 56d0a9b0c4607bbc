import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Loop } from '../../platform/jobs/loop.js';
import { WebhookBatchSender } from './webhook-batch-sender.js';
import { WebhookQueueRepository, type ClaimedWebhook } from './webhook-queue.repository.js';

const PAUSE_MS = 1_000;
/** The number of webhooks that this process delivers to concurrently, and the share of them for slow webhooks. */
const SLOTS = 64;
const SLOW_SLOTS = 32;

/**
 * Claims the webhooks with due deliveries; each sends one batch and goes to the end of the queue, so that none delays
 * others.
 */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Webhooks');
  private readonly loop = new Loop('deliveries to webhooks', () => this.begin(), PAUSE_MS);
  private readonly running = new Set<Promise<void>>();
  private slow = 0;

  constructor(
    private readonly clock: Clock,
    private readonly repository: WebhookQueueRepository,
    private readonly settings: Settings,
    private readonly batchSender: WebhookBatchSender,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.running);
  }

  /** Signals that there may be due deliveries. */
  wake(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  /** Starts the batch of one webhook without waiting for its end; returns whether there may be another webhook. */
  private async begin(): Promise<boolean> {
    if (this.running.size >= SLOTS) return false;
    const claimed = await this.repository.claim(this.clock.now(), this.slow < SLOW_SLOTS);
    if (claimed === undefined) return false;
    const batch = this.sendBatch(claimed).finally(() => {
      this.running.delete(batch);
      this.loop.wake();
    });
    this.running.add(batch);
    return true;
  }

  /** Sends a batch; if this fails, the webhook is claimed again when the claim has expired. */
  private async sendBatch(claimed: ClaimedWebhook): Promise<void> {
    this.slow += claimed.isSlow ? 1 : 0;
    try {
      await this.batchSender.run(claimed);
    } catch (error) {
      this.log.warn(`sending the batch of ${claimed.id} failed and will be retried: ${String(error)}`);
    } finally {
      this.slow -= claimed.isSlow ? 1 : 0;
    }
  }
}
