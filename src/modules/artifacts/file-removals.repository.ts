import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { QueueState } from '../../platform/metrics/metrics.js';

/** Keeps which objects the store is to remove. */
@Injectable()
export class FileRemovalsRepository {
  constructor(private readonly database: Database) {}

  /** The objects that are due, the oldest first, with the number of attempts that failed. */
  due(limit: number): Promise<{ key: string; failures: number }[]> {
    return this.database.query(
      'SELECT key, failures FROM file_removals WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $1',
      [limit],
    );
  }

  /** Notes that the store has removed the object: for good, or until an upload under way can no longer end. */
  async done(key: string): Promise<void> {
    await this.database.query(
      `WITH done AS (DELETE FROM file_removals WHERE key = $1 AND again_at <= clock_timestamp())
       UPDATE file_removals SET since = again_at, due_at = again_at, failures = 0, last_error = NULL
       WHERE key = $1 AND again_at > clock_timestamp()`,
      [key],
    );
  }

  /** Notes why the store has not removed the object, and for how many seconds it is not asked again. */
  async postpone(key: string, problem: string, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE file_removals SET failures = failures + 1, last_error = $2,
         due_at = clock_timestamp() + make_interval(secs => $3) WHERE key = $1`,
      [key, problem, seconds],
    );
  }

  /** The objects that the store should have removed by now, those that wait for another attempt among them. */
  async queue(): Promise<QueueState> {
    const state = await this.database.one<QueueState>(
      `SELECT count(*)::float8 AS length,
         coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS "oldestSeconds"
       FROM file_removals WHERE since <= clock_timestamp()`,
    );
    return state ?? { length: 0, oldestSeconds: 0 };
  }
}
