import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Metrics, readQueue } from '../../platform/metrics/metrics.js';
import type { OperationOrigin } from './operation.entity.js';
import type { StoredWork } from './operation-types.js';
import { BATCH_LOCK } from './operations.repository.js';

const MAX_RUNNING_PER_ORGANIZATION = 2;
/**
 * The key of the advisory lock under which queued operations are started, so that concurrent starts count each other.
 */
const STARTING = 830;
/** SQL: the delay before the next attempt, by the number of failed ones. */
const pauseAfter = (count: string): string => `make_interval(secs => least(60, 0.5 * 2 ^ least(${count}, 10)))`;

/** An operation whose next step is running; its row is locked until the end of the transaction. */
export interface ClaimedOperation extends StoredWork {
  type: string;
  userId: string;
  done: number;
  error: { code: string; message: string } | null;
  attempts: number;
  /** The number of consecutive processes that ended while they worked on this batch. */
  lost: number;
  requestId: string | null;
  origin: OperationOrigin | null;
  restrictedTo: string | null;
  isCanceled: boolean;
}

/** The queue of operations: which may start, which is next, and how its batches end. */
@Injectable()
export class OperationQueueRepository {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.queue('operations', () =>
      readQueue(database, `operations WHERE status IN ('queued', 'running') AND due_at <= now()`),
    );
  }

  async hasUnfinished(types: string[]): Promise<boolean> {
    const row = await this.database.queryPipelined(
      'SELECT 1 FROM operations WHERE finished_at IS NULL AND due_at <= clock_timestamp() AND type = ANY($1) LIMIT 1',
      [types],
    );
    return row !== undefined;
  }

  /**
   * Starts the queued operation that has waited longest and may run: one at a time per user, and two per organization.
   * Must be the first statement of its transaction, so that it sees the operations that other transactions started.
   */
  async startNext(types: string[]): Promise<boolean> {
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [STARTING]);
    const row = await this.database.one(
      `UPDATE operations SET status = 'running' WHERE id = (
         SELECT op.id FROM operations op
         WHERE op.status = 'queued' AND op.due_at <= clock_timestamp() AND op.type = ANY($1)
           AND NOT EXISTS (SELECT 1 FROM operations other WHERE other.status = 'running' AND other.user_id = op.user_id)
           AND (op.organization_id IS NULL OR ${MAX_RUNNING_PER_ORGANIZATION} > (
             SELECT count(*) FROM operations other
             WHERE other.finished_at IS NULL AND other.status = 'running' AND other.organization_id = op.organization_id))
         ORDER BY op.created_at, op.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
       RETURNING 1`,
      [types],
    );
    return row !== undefined;
  }

  /**
   * Selects the running operation that has waited longest for its next batch and is not locked by another process.
   * Counts the batch as lost until it ends and delays the next attempt, because the batch may crash the process.
   */
  async selectNext(types: string[]): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `UPDATE operations SET lost = lost + 1, due_at = clock_timestamp() + ${pauseAfter('lost')} WHERE id = (
         SELECT id FROM operations WHERE status = 'running' AND due_at <= clock_timestamp() AND type = ANY($1)
         ORDER BY due_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
       RETURNING id`,
      [types],
    );
    return row?.id;
  }

  /** Locks a selected operation for its batch; undefined if another process, or a cancellation, has locked it first. */
  claim(id: string): Promise<ClaimedOperation | undefined> {
    return this.database.one<ClaimedOperation>(
      `SELECT id, type, user_id AS "userId", container_id AS "containerId", parameters, tally, done, error, attempts,
         greatest(lost - 1, 0) AS lost, request_id AS "requestId", origin, restricted_to AS "restrictedTo",
         cancel_requested_at IS NOT NULL AS "isCanceled", created_at AS "createdAt"
       FROM operations WHERE id = $1 AND status = 'running' AND pg_try_advisory_xact_lock(${BATCH_LOCK})
       FOR NO KEY UPDATE SKIP LOCKED`,
      [id],
    );
  }

  /** Records a completed step; the operation goes to the end of the queue. */
  async advance(id: string, done: number, tally: Record<string, number>): Promise<void> {
    await this.database.query(
      `UPDATE operations SET done = $2, tally = $3, attempts = 0, lost = 0, due_at = clock_timestamp(),
         total = CASE WHEN total IS NOT NULL THEN greatest(total, $2) END
       WHERE id = $1`,
      [id, Math.max(0, done), JSON.stringify(tally)],
    );
  }

  async finish(id: string, status: 'succeeded' | 'failed' | 'canceled', result: string | null): Promise<void> {
    await this.database.query(
      `UPDATE operations SET status = $2, result = $3, lost = 0, parameters = '{}', origin = NULL,
         finished_at = clock_timestamp()
       WHERE id = $1`,
      [id, status, result],
    );
  }

  /** Sets the error of the operation, unless it already has one. */
  async fail(id: string, error: { code: string; message: string }): Promise<void> {
    await this.database.query(
      `UPDATE operations SET error = $2, attempts = 0, lost = 0, due_at = clock_timestamp()
       WHERE id = $1 AND status = 'running' AND error IS NULL`,
      [id, JSON.stringify(error)],
    );
  }

  /** Delays the next attempt, longer after each failure; returns the number of failures. */
  async postpone(id: string): Promise<number> {
    const row = await this.database.one<{ attempts: number }>(
      `UPDATE operations SET attempts = attempts + 1, lost = 0, due_at = clock_timestamp() + ${pauseAfter('attempts')}
       WHERE id = $1 AND status = 'running' RETURNING attempts`,
      [id],
    );
    return row?.attempts ?? 0;
  }
}
