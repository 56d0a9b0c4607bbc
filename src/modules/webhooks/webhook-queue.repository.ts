import { Injectable } from '@nestjs/common';
import { leftJoinUserOf } from '../../access/visibility/people.view.js';
import { counterKey } from '../../platform/limits/counters.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { claimNext } from '../../platform/jobs/claim.js';
import { Metrics, readQueue } from '../../platform/metrics/metrics.js';
import type { DeliveryStatus } from './deliveries/webhook-delivery.entity.js';
import type { DisabledReason } from './webhook.entity.js';
import type { SecretState } from './webhook-secrets.js';
import { DISABLING_REASON } from './webhooks.repository.js';

/** The duration of a claim: longer than a batch takes, so an expired claim means that the worker has died. */
const CLAIM = '45 seconds';

/** A webhook to which only this process delivers until the claim expires. */
export interface ClaimedWebhook {
  id: string;
  claim: number;
  isSlow: boolean;
}

/** The data of a webhook that a worker needs. */
export interface SendingWebhook extends SecretState {
  url: string;
  containerId: string;
  isEnabled: boolean;
  /** Whether the receiver has accepted a test, without which it gets only tests. */
  isVerified: boolean;
  ownerUserId: string | null;
  disablingReason: DisabledReason | null;
  failures: number;
  failingSince: Date | null;
}

export interface DueDelivery {
  id: string;
  type: string;
  eventId: string | null;
  sequence: number | null;
  orderKey: string | null;
  attempts: number;
  createdAt: Date;
}

/** The state of a delivery after an attempt. */
export interface DeliveryOutcome {
  id: string;
  orderKey: string | null;
  status: DeliveryStatus;
  attempts: number;
  dueAt: Date | null;
  attemptedAt: Date | null;
  responseStatus: number | null;
  responseMs: number | null;
  responseBody: string | null;
  isTest: boolean;
  /** The time for which the receiver asked to wait. */
  retryAfterMs: number | null;
  error: string | null;
}

/** The state of a webhook after a batch. */
export interface BatchState {
  isSlow: boolean;
  failures: number;
  failingSince: Date | null;
  restUntil: Date | null;
  hasSucceeded: boolean;
  /** Whether the receiver accepts events. */
  isVerified: boolean;
}

/** The longest time for which a batch waits for its turn at a host. */
const MAX_TURN_MS = 2_000;

/** The turn of a batch at the host of its receiver. */
export interface HostTurn {
  /** Milliseconds until the first request, and between two requests. */
  waitMs: number;
  gapMs: number;
  /** Whether the requests are scheduled; otherwise, the host is busy for that time. */
  isGranted: boolean;
}

const CLAIM_NEXT = claimNext({
  table: 'webhook_states',
  key: 'webhook_id',
  counter: 'claim',
  isDue: 'due_at <= $1 AND (rest_until IS NULL OR rest_until <= $1) AND ($2 OR NOT is_slow)',
  order: 'due_at',
  period: CLAIM,
  returning: 'webhook_id AS id, claim, is_slow AS "isSlow"',
});

/** The queue of webhooks with due deliveries; one worker at a time, on any replica, delivers to a webhook. */
@Injectable()
export class WebhookQueueRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    metrics.queue('webhooks', () =>
      readQueue(database, 'webhook_states WHERE due_at <= now() AND coalesce(rest_until, due_at) <= now()'),
    );
  }

  /** Claims the webhook that has waited longest; slow ones only if there is a slot for them. */
  claim(now: Date, withSlow: boolean): Promise<ClaimedWebhook | undefined> {
    return this.database.one<ClaimedWebhook>(CLAIM_NEXT, [now, withSlow]);
  }

  async read(id: string): Promise<SendingWebhook> {
    const row = await this.database.one<SendingWebhook>(
      `SELECT w.id AS "webhookId", w.url, coalesce(w.organization_id, w.endeavour_id) AS "containerId",
         w.is_enabled AS "isEnabled", s.verified_at IS NOT NULL AS "isVerified", u.id AS "ownerUserId", ${DISABLING_REASON} AS "disablingReason",
         s.secret_version AS "secretVersion", s.secret_rotated_at AS "secretRotatedAt", s.failures,
         s.failing_since AS "failingSince"
       FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id ${leftJoinUserOf('u', 'w.owner_id')}
       WHERE w.id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`webhook ${id} does not exist`);
    return row;
  }

  due({ webhookId: id, isVerified }: SendingWebhook, now: Date, limit: number): Promise<DueDelivery[]> {
    return this.database.query<DueDelivery>(
      `SELECT d.id, d.type, d.event_id AS "eventId", d.sequence::float8 AS sequence, d.order_key AS "orderKey", d.attempts,
         d.created_at AS "createdAt"
       FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.due_at <= $2 AND ($4 OR d.sequence IS NULL)
       ORDER BY d.due_at, d.sequence LIMIT $3`,
      [id, now, limit, isVerified],
    );
  }

  /** Schedules requests to a host, after those that any process has scheduled. */
  async takeTurn(host: string, requests: number): Promise<HostTurn> {
    const gapMs = 1_000 / this.settings.LIMIT_WEBHOOK_REQUESTS_PER_SECOND;
    const row = await this.database.one<{ aheadMs: number; isGranted: boolean }>(
      `INSERT INTO rate_counters AS c (key, count, ends_at)
       VALUES ($1, 1, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET (count, ends_at) = (
         SELECT (ahead <= make_interval(secs => $3))::integer,
           CASE WHEN ahead <= make_interval(secs => $3)
             THEN clock_timestamp() + greatest(ahead, interval '0') + make_interval(secs => $2) ELSE c.ends_at END
         FROM (SELECT c.ends_at - clock_timestamp() AS ahead) queue)
       RETURNING extract(epoch FROM ends_at - clock_timestamp())::float8 * 1000 AS "aheadMs", count = 1 AS "isGranted"`,
      [counterKey('webhook_host', host), (requests * gapMs) / 1_000, MAX_TURN_MS / 1_000],
    );
    if (row === undefined) throw new Error('the upsert returned no row');
    const { aheadMs, isGranted } = row;
    return { isGranted, gapMs, waitMs: Math.max(0, isGranted ? aheadMs - requests * gapMs : aheadMs) };
  }

  /** Records a batch and releases the webhook; false if the claim has expired and another worker has claimed it. */
  async record(
    { id, claim }: ClaimedWebhook,
    outcomes: DeliveryOutcome[],
    state: BatchState,
    now: Date,
  ): Promise<boolean> {
    const locked = await this.database.one(
      'SELECT 1 FROM webhook_states WHERE webhook_id = $1 AND claim = $2 FOR UPDATE',
      [id, claim],
    );
    if (locked === undefined) return false;
    if (outcomes.length > 0) {
      await this.save(outcomes, now);
      const ended = outcomes.filter(({ status, orderKey }) => status !== 'pending' && orderKey !== null);
      await this.scheduleFollowing(id, [...new Set(ended.map(({ orderKey }) => orderKey))], now);
    }
    await this.release(id, state, now);
    return true;
  }

  private async save(outcomes: readonly DeliveryOutcome[], now: Date): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries d SET status = o.status, attempts = o.attempts, due_at = o."dueAt",
         attempted_at = coalesce(o."attemptedAt", d.attempted_at), response_status = o."responseStatus",
         response_ms = o."responseMs", response_body = o."responseBody", error = o.error,
         finished_at = CASE WHEN o.status <> 'pending' THEN $2::timestamptz END
       FROM json_to_recordset($1::json) AS o (id text, status text, attempts integer, "dueAt" timestamptz,
         "attemptedAt" timestamptz, "responseStatus" integer, "responseMs" integer, "responseBody" text, error text)
       WHERE d.id = o.id AND d.status = 'pending'`,
      [JSON.stringify(outcomes), now],
    );
  }

  /** Makes the next delivery due for each key of which a delivery has ended. */
  private async scheduleFollowing(id: string, orderKeys: readonly (string | null)[], now: Date): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries SET due_at = $3
       WHERE due_at IS NULL AND id = ANY(ARRAY(SELECT (
         SELECT d.id FROM webhook_deliveries d
         WHERE d.webhook_id = $1 AND d.order_key = key AND d.status = 'pending' ORDER BY d.sequence LIMIT 1)
         FROM unnest($2::text[]) key))`,
      [id, orderKeys, now],
    );
  }

  /** Stores the state and ends the claim; a webhook with further deliveries goes to the end of the queue. */
  private async release(id: string, state: BatchState, now: Date): Promise<void> {
    const { isSlow, failures, failingSince, restUntil, hasSucceeded, isVerified } = state;
    await this.database.query(
      `UPDATE webhook_states SET locked_until = NULL, is_slow = $3, failures = $4, failing_since = $5, rest_until = $6,
         last_success_at = CASE WHEN $7 THEN $2::timestamptz ELSE last_success_at END,
         verified_at = CASE WHEN $8 THEN coalesce(verified_at, $2::timestamptz) END,
         due_at = (SELECT greatest(d.due_at, $2::timestamptz) FROM webhook_deliveries d
           WHERE d.webhook_id = $1 AND d.due_at IS NOT NULL AND ($8 OR d.sequence IS NULL) ORDER BY d.due_at LIMIT 1)
       WHERE webhook_id = $1`,
      [id, now, isSlow, failures, failingSince, restUntil, hasSucceeded, isVerified],
    );
  }
}
