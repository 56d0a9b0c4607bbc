import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { TimeEntry } from './time-entry.entity.js';

/** An entry that exists, or existed. */
export type PresentTimeEntry = Pick<
  TimeEntry,
  'id' | 'taskId' | 'minutes' | 'day' | 'note' | 'resourceId' | 'isInitial'
> & {
  isDeleted: boolean;
};

/** The rows of time entries. */
@Injectable()
export class TimeEntriesRepository {
  constructor(private readonly database: Database) {}

  /** The task of an entry, which it keeps; undefined if there is no such entry. */
  async taskOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ taskId: string }>(
      'SELECT task_id AS "taskId" FROM time_entries WHERE id = $1',
      [id],
    );
    return row?.taskId;
  }

  /** The tasks of entries. */
  async tasksOf(ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ taskId: string }>(
      'SELECT DISTINCT task_id AS "taskId" FROM time_entries WHERE id = ANY($1::text[])',
      [ids],
    );
    return rows.map(({ taskId }) => taskId);
  }

  /** The entries of tasks, also deleted ones, which keep their ids. */
  entriesOf(taskIds: readonly string[]): Promise<PresentTimeEntry[]> {
    return this.database.query<PresentTimeEntry>(
      `SELECT id, task_id AS "taskId", minutes, day::text AS day, note, resource_id AS "resourceId",
         is_initial AS "isInitial", deleted_at IS NOT NULL AS "isDeleted"
       FROM time_entries WHERE task_id = ANY($1::text[]) ORDER BY created_at, id`,
      [taskIds],
    );
  }

  read(id: string): Promise<TimeEntry> {
    return this.database.row(TimeEntry, id);
  }

  /** The number of entries of a task. */
  async countOf(taskId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM time_entries WHERE task_id = $1 AND deleted_at IS NULL',
      [taskId],
    );
    return row?.count ?? 0;
  }

  /** Runs writes of time that was spent before, also on tasks that are closed by now. */
  async whileImporting(write: () => Promise<void>): Promise<void> {
    await this.database.query(`SELECT set_config('worksmith.importing', 'on', true)`);
    await write();
    await this.database.query(`SELECT set_config('worksmith.importing', 'off', true)`);
  }
}
