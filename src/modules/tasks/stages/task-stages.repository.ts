import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { Database } from '../../../platform/database/database.js';
import type { Stage } from '../../endeavours/stages/stages.js';

/** Reads the stages of tasks, and counts the tasks in a stage. */
@Injectable()
export class TaskStagesRepository {
  constructor(private readonly database: Database) {}

  /** The stages of the endeavour of the task; null if it has none or the task does not exist. */
  async stagesOfTask(id: string): Promise<Stage[] | null> {
    const row = await this.database.one<{ stages: Stage[] | null }>(
      `SELECT e.stages FROM tasks t ${joinEndeavour('e', 't.endeavour_id')} WHERE t.id = $1`,
      [id],
    );
    return row?.stages ?? null;
  }

  /** Lets no other transaction count the tasks in the stage until this one ends. */
  async lockCount(stageId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`stage ${stageId}`]);
  }

  /** The number of tasks in the stage; with `isFirst`, those of its status without a stage of their own are in it too. */
  async countIn(endeavourId: string, { id, status }: Stage, isFirst: boolean): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM tasks t
       WHERE t.endeavour_id = $1 AND t.status = $2 AND (t.stage = $3 OR ($4 AND t.stage IS NULL))`,
      [endeavourId, status, id, isFirst],
    );
    return row?.count ?? 0;
  }
}
