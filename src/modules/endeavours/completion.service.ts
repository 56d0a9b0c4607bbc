import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { conflict } from '../../common/errors.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView } from './endeavour.view.js';

const openTasks = `SELECT 1 FROM tasks t WHERE t.endeavour_id = e.id AND t.status IN ('planned', 'active')`;

/** Something was to be done, and all of it is. */
const isDone = `NOT e.goals @> '[{"status": "open"}]' AND NOT EXISTS (${openTasks})
  AND NOT EXISTS (SELECT 1 FROM demands d WHERE d.endeavour_id = e.id AND d.status IN ('open', 'in_progress'))
  AND (e.goals <> '[]' OR EXISTS (SELECT 1 FROM tasks t WHERE t.endeavour_id = e.id)
       OR EXISTS (SELECT 1 FROM demands d WHERE d.endeavour_id = e.id))`;

/** Completes endeavours, on request or automatically if their metadata contain `auto_complete`. */
@Injectable()
export class CompletionService {
  constructor(
    private readonly database: Database,
    private readonly writer: ResourceWriter,
  ) {}

  /** The endeavour must be locked exclusively, so that no work is added at the same time. */
  async assertNothingOpen(id: string): Promise<void> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM endeavours e, LATERAL (${openTasks}) task WHERE e.id = $1`,
      [id],
    );
    if (row !== undefined && row.open > 0) {
      throw conflict('open_tasks', `${row.open} tasks are still planned or active; complete or cancel them first.`, {
        open_tasks: row.open,
      });
    }
  }

  /**
   * Call this after the write that finishes a task, demand or goal, or moves one away. Costs one statement by primary
   * key if the endeavour does not complete automatically.
   */
  async completeIfDone(actor: Actor | null, id: string): Promise<void> {
    // Who finishes the last but one waits here for who finishes the last, and then sees that it is done.
    const waits = `e.status = 'active' AND e.metadata -> 'auto_complete' = 'true' FOR NO KEY UPDATE`;
    if (!(await this.holds(id, waits)) || !(await this.holds(id, isDone))) return;
    // From here on no work can be added; the second check sees work that was being added meanwhile.
    await this.database.lockExclusively(Endeavour, id);
    if (await this.holds(id, isDone)) await this.complete(actor, id);
  }

  private async holds(id: string, condition: string): Promise<boolean> {
    return (await this.database.one(`SELECT 1 FROM endeavours e WHERE e.id = $1 AND ${condition}`, [id])) !== undefined;
  }

  private async complete(actor: Actor | null, id: string): Promise<void> {
    const current = await this.database.row(Endeavour, id);
    await this.writer.patch(actor, endeavourView, Endeavour, {
      current,
      changes: { status: 'completed', completedAt: new Date() },
      place: { endeavourId: id },
      type: () => 'endeavour.status_changed',
    });
  }
}
