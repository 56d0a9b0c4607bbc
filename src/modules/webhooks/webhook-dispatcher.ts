import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Loop } from '../../platform/jobs/loop.js';
import { WebhookTurns } from './webhook-turns.js';
import { WebhookTurnsRepository, type ClaimedWebhook } from './webhook-turns.repository.js';

const PAUSE_MS = 1_000;
/** The number of concurrent turns in this process, and the share of them for slow webhooks. */
const PLACES = 64;
const PLACES_OF_SLOW = 32;

/** Gives webhooks turns: each sends a little and goes to the end of the queue, so that none delays the others. */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Webhooks');
  private readonly loop = new Loop(() => this.begin(), PAUSE_MS);
  private readonly underWay = new Set<Promise<void>>();
  private slow = 0;

  constructor(
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
    private readonly repository: WebhookTurnsRepository,
    private readonly settings: Settings,
    private readonly turns: WebhookTurns,
  ) {}

  onApplicationBootstrap(): void {
    this.housekeeping.discard('webhook_deliveries', "created_at < now() - interval '30 days' AND status <> 'pending'");
    this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.underWay);
  }

  /** Signals that there may be something to send. */
  wake(): void {
    if (this.settings.WORKERS) this.loop.wake();
  }

  /** Starts one turn without waiting for its end; returns whether there may be another. */
  private async begin(): Promise<boolean> {
    if (this.underWay.size >= PLACES) return false;
    const claimed = await this.repository.claim(this.clock.now(), this.slow < PLACES_OF_SLOW);
    if (claimed === undefined) return false;
    const turn = this.take(claimed).finally(() => {
      this.underWay.delete(turn);
      this.loop.wake();
    });
    this.underWay.add(turn);
    return true;
  }

  /** A failed turn is repeated when its claim has expired. */
  private async take(claimed: ClaimedWebhook): Promise<void> {
    this.slow += claimed.isSlow ? 1 : 0;
    try {
      await this.turns.run(claimed);
    } catch (error) {
      this.log.warn(`${claimed.id}: trying again later: ${String(error)}`);
    } finally {
      this.slow -= claimed.isSlow ? 1 : 0;
    }
  }
}
