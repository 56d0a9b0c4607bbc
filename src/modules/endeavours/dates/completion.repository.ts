import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Endeavour } from '../endeavour.entity.js';

const openTasks = `SELECT 1 FROM task_states t WHERE t.endeavour_id = e.id AND t.status IN ('planned', 'active')`;

/** SQL: whether the endeavour has work or goals, and none of them is open. */
const DONE = `NOT e.goals @> '[{"status": "open"}]' AND NOT EXISTS (${openTasks})
  AND NOT EXISTS (SELECT 1 FROM demand_states d WHERE d.endeavour_id = e.id AND d.status IN ('open', 'in_progress'))
  AND (e.goals <> '[]' OR EXISTS (SELECT 1 FROM task_states t WHERE t.endeavour_id = e.id)
       OR EXISTS (SELECT 1 FROM demand_states d WHERE d.endeavour_id = e.id))`;

const COMPLETES_AUTOMATICALLY = `e.status = 'active' AND e.metadata -> 'auto_complete' = 'true' FOR NO KEY UPDATE`;

/** Determines whether an endeavour is complete. */
@Injectable()
export class CompletionRepository {
  constructor(private readonly database: Database) {}

  async countOpenTasks(id: string): Promise<number> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM endeavours e, LATERAL (${openTasks}) task WHERE e.id = $1`,
      [id],
    );
    return row?.open ?? 0;
  }

  /** Locks an active endeavour that completes automatically; false for any other. */
  lockIfAutomatic(id: string): Promise<boolean> {
    return this.matches(id, COMPLETES_AUTOMATICALLY);
  }

  /** Waits for transactions that add work to the endeavour, and blocks new ones until the commit. */
  lockAgainstWork(id: string): Promise<void> {
    return this.database.lockExclusively(Endeavour, id);
  }

  isDone(id: string): Promise<boolean> {
    return this.matches(id, DONE);
  }

  current(id: string): Promise<Endeavour> {
    return this.database.row(Endeavour, id);
  }

  private async matches(id: string, condition: string): Promise<boolean> {
    return (await this.database.one(`SELECT 1 FROM endeavours e WHERE e.id = $1 AND ${condition}`, [id])) !== undefined;
  }
}
