import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { ApiError } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import type { ListDefinition, ListRequest } from '../../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../../platform/listing/list-condition.js';

/** A task that a bulk change could not change, and the reason. */
export interface TaskRefusal {
  taskId: string;
  refusal: ApiError;
}

/** Finds the tasks of a bulk change and stores its refusals while it runs. */
@Injectable()
export class BulkTasksRepository {
  constructor(private readonly database: Database) {}

  /** The tasks that match the filter, in the order of their ids, up to a limit. */
  async find(me: Caller, list: ListDefinition, request: ListRequest, limit: number): Promise<string[]> {
    const p = new ListStatement(me);
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM tasks t WHERE ${conditionOf(list, request, me, p)} ORDER BY t.id LIMIT ${p.bind(limit)}`,
      p.values,
    );
    return rows.map(({ id }) => id);
  }

  async addRefusals(operationId: string, refusals: readonly TaskRefusal[]): Promise<void> {
    if (refusals.length === 0) return;
    const reasonOf = ({ details }: ApiError) => (typeof details?.reason === 'string' ? details.reason : null);
    await this.database.query(
      `INSERT INTO bulk_task_refusals (operation_id, task_id, code, reason, message)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])`,
      [
        operationId,
        refusals.map(({ taskId }) => taskId),
        refusals.map(({ refusal }) => refusal.code),
        refusals.map(({ refusal }) => reasonOf(refusal)),
        refusals.map(({ refusal }) => refusal.message),
      ],
    );
  }

  /** Returns the first refusals of the operation by task id and deletes all of them. */
  async takeRefusals(operationId: string, limit: number): Promise<Record<string, unknown>[]> {
    const refusals = await this.database.query(
      `SELECT task_id AS id, code, reason, message FROM bulk_task_refusals WHERE operation_id = $1
       ORDER BY task_id LIMIT $2`,
      [operationId, limit],
    );
    await this.database.query('DELETE FROM bulk_task_refusals WHERE operation_id = $1', [operationId]);
    return refusals;
  }
}
