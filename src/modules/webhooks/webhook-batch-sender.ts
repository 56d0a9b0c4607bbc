import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Callers } from '../../access/authentication/callers.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { FeedRepository } from '../activity/feed/feed.repository.js';
import { MAX_FAILING_MS, pauseAfter, retryDelayAfter } from './webhook.rules.js';
import { WebhookDisabling } from './webhook-disabling.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender, type Attempt } from './webhook-sender.js';
import { hostOf } from '../../platform/outgoing/targets.js';
import {
  WebhookQueueRepository,
  type ClaimedWebhook,
  type DueDelivery,
  type DeliveryOutcome,
  type HostTurn,
  type SendingWebhook,
  type BatchState,
} from './webhook-queue.repository.js';

/** The number of concurrent deliveries of one webhook, each for a different entity. */
const BATCH_SIZE = 10;
const SLOW_MS = 2_000;
const GONE_STATUS = 410;
/** Leaves database connections for requests, even if many batches end at the same time. */
const DATABASE_LIMITS = { atOnce: 3, atOncePerUser: 1, waiting: Infinity, waitingPerUser: Infinity };

/** A delivery with its payload; undefined if it must not be sent. */
interface Message {
  delivery: DueDelivery;
  payload: string | undefined;
  /** Its position among the requests of the batch. */
  position: number;
}

interface Batch {
  webhook: SendingWebhook;
  messages: Message[];
  turn: HostTurn;
}

const NO_WAIT: HostTurn = { waitMs: 0, gapMs: 0, isGranted: true };

/** Sends a batch of due deliveries of one webhook. */
@Injectable()
export class WebhookBatchSender {
  private readonly log = new Logger('Webhooks');
  private readonly queue = new FairQueue(DATABASE_LIMITS);

  private readonly count: (state: string) => void;

  constructor(
    private readonly callers: Callers,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly disabling: WebhookDisabling,
    private readonly feed: FeedRepository,
    private readonly repository: WebhookQueueRepository,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    metrics: Metrics,
  ) {
    const help = 'Attempts to deliver to webhooks, by the state of the delivery after it; pending ones are retried.';
    this.count = metrics.counter('webhook_attempts', help, 'state', ['succeeded', 'pending', 'failed', 'skipped']);
  }

  async run(claimed: ClaimedWebhook): Promise<void> {
    const { webhook, messages, turn } = await this.queue.run(claimed.id, () => this.prepare(claimed));
    const outcomes = await Promise.all(messages.map((message) => this.deliver(webhook, message, turn)));
    const busyMs = turn.isGranted ? 0 : turn.waitMs;
    await this.queue.run(claimed.id, () => this.record(claimed, webhook, outcomes, busyMs));
  }

  /** Reads the batch. If the owner is no longer an admin, not even earlier events are sent. */
  private async prepare({ id, isSlow }: ClaimedWebhook): Promise<Batch> {
    const webhook = await this.repository.read(id);
    if (webhook.isEnabled && webhook.disablingReason !== null) await this.disabling.disableOrphan(id);
    const due = await this.repository.due(webhook, this.clock.now(), isSlow ? 1 : BATCH_SIZE);
    const bodies = await this.bodiesOf(webhook, due);
    let requests = 0;
    const messages = due.map((delivery): Message => {
      const payload = payloadOf(id, delivery, bodies);
      return { delivery, payload, position: payload === undefined ? 0 : requests++ };
    });
    if (requests === 0) return { webhook, messages, turn: NO_WAIT };
    const turn = await this.repository.takeTurn(hostOf(new URL(webhook.url)), requests);
    return { webhook, messages: turn.isGranted ? messages : [], turn };
  }

  private async bodiesOf(
    { ownerUserId, containerId, disablingReason }: SendingWebhook,
    due: readonly DueDelivery[],
  ): Promise<Map<number, string>> {
    const sequences = due.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
    const hasNoBodies = sequences.length === 0 || ownerUserId === null || disablingReason !== null;
    const owner = hasNoBodies ? undefined : await this.callers.byUser(ownerUserId);
    return owner === undefined ? new Map() : this.feed.readable(owner.caller, containerId, sequences);
  }

  private async deliver(
    webhook: SendingWebhook,
    { delivery, payload, position }: Message,
    { waitMs, gapMs }: HostTurn,
  ): Promise<DeliveryOutcome> {
    if (payload === undefined) return skipped(delivery);
    await sleep(waitMs + gapMs * position);
    const attemptedAt = this.clock.now();
    const headers = this.secrets.headersOf(webhook, delivery.eventId ?? delivery.id, payload, attemptedAt);
    return outcomeOf(delivery, await this.sender.send(webhook.url, payload, headers), attemptedAt);
  }

  private async record(
    claimed: ClaimedWebhook,
    webhook: SendingWebhook,
    outcomes: DeliveryOutcome[],
    busyMs: number,
  ): Promise<void> {
    const now = this.clock.now();
    const state = stateAfter(webhook, outcomes, now, busyMs);
    const isRecorded = await this.database.transaction(() => this.repository.record(claimed, outcomes, state, now));
    if (!isRecorded) return this.log.warn(`${claimed.id} was claimed by another worker before its batch was recorded`);
    for (const { status } of outcomes) this.count(status);
    if (outcomes.some(({ responseStatus }) => responseStatus === GONE_STATUS))
      await this.disabling.disable(claimed.id, 'gone');
    const { failingSince, isVerified } = state;
    // No further attempt would verify it, and its events would wait forever.
    const isUnwanted = !isVerified && outcomes.some(({ isTest, status }) => isTest && status === 'failed');
    const isFailing = failingSince !== null && now.getTime() - failingSince.getTime() > MAX_FAILING_MS;
    if (isFailing || isUnwanted) await this.disabling.disable(claimed.id, 'failing');
  }
}

/** The message of an event or a test; undefined if the event is not visible to the owner. */
function payloadOf(webhookId: string, delivery: DueDelivery, bodies: ReadonlyMap<number, string>): string | undefined {
  const { type, sequence, createdAt } = delivery;
  if (sequence === null) {
    return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { webhook_id: webhookId } });
  }
  const body = bodies.get(sequence);
  if (body === undefined) return undefined;
  const { occurred_at: timestamp } = JSON.parse(body) as { occurred_at: string };
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${body}}`;
}

const NO_RESPONSE = { responseStatus: null, responseMs: null, responseBody: null };

const skipped = ({ id, orderKey, attempts }: DueDelivery): DeliveryOutcome => ({
  ...NO_RESPONSE,
  id,
  orderKey,
  attempts,
  status: 'skipped',
  dueAt: null,
  attemptedAt: null,
  isTest: false,
  retryAfterMs: null,
  error: 'The owner of the webhook can no longer see the event.',
});

function outcomeOf(
  { id, orderKey, attempts, sequence }: DueDelivery,
  attempt: Attempt,
  attemptedAt: Date,
): DeliveryOutcome {
  const { status, ms, body, error, retryAfterMs } = attempt;
  const attemptCount = attempts + 1;
  const pause = error === null || status === GONE_STATUS ? undefined : retryDelayAfter(attemptCount);
  return {
    id,
    orderKey,
    attempts: attemptCount,
    status: error === null ? 'succeeded' : pause === undefined ? 'failed' : 'pending',
    dueAt: pause === undefined ? null : new Date(attemptedAt.getTime() + Math.max(pause, retryAfterMs ?? 0)),
    attemptedAt,
    responseStatus: status,
    responseMs: ms,
    responseBody: body,
    isTest: sequence === null,
    retryAfterMs,
    error,
  };
}

/** The state after the batch; a batch counts as failed if every sent delivery failed. */
function stateAfter(
  webhook: SendingWebhook,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
  busyMs: number,
): BatchState {
  const sent = outcomes.filter(({ attemptedAt }) => attemptedAt !== null);
  const hasSucceeded = sent.some(({ status }) => status === 'succeeded');
  const hasFailed = sent.length > 0 && !hasSucceeded;
  const failures = hasFailed ? webhook.failures + 1 : hasSucceeded ? 0 : webhook.failures;
  const restMs = Math.max(busyMs, pauseAfter(failures), ...sent.map(({ retryAfterMs }) => retryAfterMs ?? 0));
  return {
    isSlow: failures > 0 || sent.some(({ responseMs }) => (responseMs ?? 0) > SLOW_MS),
    failures,
    failingSince: hasSucceeded ? null : hasFailed ? (webhook.failingSince ?? now) : webhook.failingSince,
    restUntil: restMs === 0 ? null : new Date(now.getTime() + restMs),
    hasSucceeded,
    isVerified: webhook.isVerified || sent.some(({ isTest, status }) => isTest && status === 'succeeded'),
  };
}
