import { Injectable } from '@nestjs/common';
import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import { Database } from '../../../platform/database/database.js';

const countOf = (status: TaskStatus): string => `count(*) FILTER (WHERE status = '${status}')::integer AS ${status}`;

/** Counts the tasks for previews of archiving. */
@Injectable()
export class ArchivesRepository {
  constructor(private readonly database: Database) {}

  async countTasksByStatus(endeavourIds: readonly string[]): Promise<Record<TaskStatus, number>> {
    const row = await this.database.one<Record<TaskStatus, number>>(
      `SELECT ${TASK_STATUSES.map(countOf).join(', ')} FROM task_states WHERE endeavour_id = ANY($1::text[])`,
      [endeavourIds],
    );
    if (row === undefined) throw new Error('the count returned no row');
    return row;
  }
}
