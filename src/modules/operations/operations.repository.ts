import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/views/view.js';
import { Database } from '../../platform/database/database.js';
import type { OperationOrigin } from './operation.entity.js';
import { isVisibleOperation } from './operation.list.js';
import type { StoredWork } from './operation-types.js';
import type { OperationStatus } from './operation.lifecycle.js';
import { operationView } from './operation.view.js';

/**
 * SQL: the key of the advisory lock of a batch. Workers do not start the next batch while a cancellation waits for it:
 * advisory locks have a queue, whereas a worker that locks a row again at once overtakes those that wait for it.
 */
export const BATCH_LOCK = 'hashtextextended(id, 19)';

/** The properties of a new operation. */
export interface NewOperation {
  id: string;
  type: string;
  containerId: string | null;
  organizationId: string | null;
  isCancelable: boolean;
  parameters: Record<string, unknown>;
  total: number | null;
  requestId: string | null;
  /** The time before which it does not start; null for now. */
  startsAt: Date | null;
  origin: OperationOrigin;
}

/** An operation that is about to be canceled; its row is locked. */
export interface LockedOperation extends StoredWork {
  type: string;
  status: OperationStatus;
  isCancelable: boolean;
}

/** Reads and writes operations. */
@Injectable()
export class OperationsRepository {
  constructor(private readonly database: Database) {}

  async insert(me: Caller, operation: NewOperation): Promise<void> {
    const { id, type, containerId, organizationId, isCancelable, parameters, total, requestId, startsAt, origin } =
      operation;
    await this.database.query(
      `INSERT INTO operations (id, type, user_id, created_by, container_id, organization_id, is_cancelable, parameters,
         total, request_id, restricted_to, origin, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, clock_timestamp()))`,
      [
        id,
        type,
        me.userId,
        me.resourceId,
        containerId,
        organizationId,
        isCancelable,
        JSON.stringify(parameters),
        total,
        requestId,
        me.containerId,
        JSON.stringify(origin),
        startsAt,
      ],
    );
  }

  /** The representation; undefined if the caller may not see the operation. */
  async read(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const row = await this.database.queryPipelined<Json>(
      oneAsJson(operationView, `op.id = $2 AND ($3::boolean OR ${isVisibleOperation('$1')})`, fields),
      [me.userId, id, me.isAdmin],
    );
    return row && Representation.of(row);
  }

  /** Locks the operation against its worker, at the latest after its batch; undefined if the caller may not see it. */
  async lock(me: Caller, id: string): Promise<LockedOperation | undefined> {
    const isVisible = `op.id = $2 AND ($3::boolean OR ${isVisibleOperation('$1')})`;
    await this.database.query(
      `SELECT pg_advisory_xact_lock(${BATCH_LOCK}) FROM operations op
       WHERE ${isVisible} AND op.is_cancelable AND op.status = 'running'`,
      [me.userId, id, me.isAdmin],
    );
    return this.database.one<LockedOperation>(
      `SELECT op.id, op.type, op.container_id AS "containerId", op.parameters, op.tally, op.created_at AS "createdAt",
         op.status, op.is_cancelable AS "isCancelable"
       FROM operations op WHERE ${isVisible} FOR NO KEY UPDATE`,
      [me.userId, id, me.isAdmin],
    );
  }

  async isFinished(id: string): Promise<boolean> {
    const row = await this.database.queryPipelined('SELECT 1 FROM operations WHERE id = $1 AND finished_at IS NULL', [
      id,
    ]);
    return row === undefined;
  }

  async clearContainer(containerId: string, operationId: string): Promise<void> {
    await this.database.query('UPDATE operations SET container_id = NULL WHERE id = $1', [operationId]);
    await this.deleteOf(containerId);
  }

  async deleteOf(containerId: string): Promise<void> {
    await this.database.query('DELETE FROM operations WHERE container_id = $1', [containerId]);
  }

  async cancelQueued(type: string, containerId: string): Promise<void> {
    await this.database.query(
      `UPDATE operations SET status = 'canceled', parameters = '{}', origin = NULL, finished_at = clock_timestamp()
       WHERE container_id = $2 AND type = $1 AND status = 'queued'`,
      [type, containerId],
    );
  }

  async requestCancel(id: string): Promise<void> {
    await this.database.query(
      'UPDATE operations SET cancel_requested_at = clock_timestamp(), due_at = clock_timestamp() WHERE id = $1',
      [id],
    );
  }

  /**
   * Deletes the origins of the operations of a user. Skips those that a worker has locked, which may wait for this
   * transaction: they end soon, and then have no origin either.
   */
  async eraseOrigins(userId: string): Promise<void> {
    await this.database.query(
      `UPDATE operations SET origin = NULL WHERE id IN (
         SELECT id FROM operations WHERE user_id = $1 AND origin IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED)`,
      [userId],
    );
  }
}
