import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { TaskStatus } from '../../../common/statuses.js';
import { Database } from '../../../platform/database/database.js';
import type { Priority } from '../../demands/demand.lifecycle.js';

/** An existing task with the columns that an import compares. */
export interface ExistingTask {
  id: string;
  externalId: string;
  title: string;
  description: string | null;
  status: TaskStatus;
  /** The name of its stage; null without one. */
  stage: string | null;
  /** Whether that is the first one of its status. */
  isInFirstStage: boolean;
  assigneeId: string | null;
  estimate: number | null;
  points: number | null;
  priority: Priority | null;
  actual: number | null;
  /** Whether its hours are the sum of its time entries. */
  hasTimeEntries: boolean;
  /** The names of its labels. */
  labels: string[];
  /** `YYYY-MM-DD`. */
  startDate: string | null;
  dueDate: Date | null;
  /** `YYYY-MM-DD`; null if the due date is an instant. */
  dueDay: string | null;
  metadata: JsonRecord;
  /** The time zone of the endeavour, in which days are meant. */
  timezone: string;
}

/** Reads the existing tasks of an import, and writes with imported times. */
@Injectable()
export class ImportedTasksRepository {
  constructor(private readonly database: Database) {}

  /** The tasks of the endeavour with these external references. */
  existing(endeavourId: string, source: string, externalIds: readonly string[]): Promise<ExistingTask[]> {
    return this.database.query<ExistingTask>(
      `SELECT t.id, t.external_ref ->> 'id' AS "externalId", t.title, t.description, t.status, t.estimate, t.points, t.priority, t.actual,
         t.logged_minutes IS NOT NULL AS "hasTimeEntries",
         label_names(t.labels) AS labels, stage_in(e.stages, t.status, t.stage) ->> 'name' AS stage,
         stage_in(e.stages, t.status, t.stage) IS NOT DISTINCT FROM stage_in(e.stages, t.status, NULL) AS "isInFirstStage",
         t.assignee_id AS "assigneeId", t.start_date::text AS "startDate", t.due_date AS "dueDate", t.due_day::text AS "dueDay",
         t.metadata, e.timezone
       FROM tasks t ${joinEndeavour('e', 't.endeavour_id')}
       WHERE t.external_ref ->> 'source' = $2 AND t.external_ref ->> 'id' = ANY($3::text[]) AND t.endeavour_id = $1`,
      [endeavourId, source, externalIds],
    );
  }

  /** The ids of the tasks of the endeavour by their ids in the other system. */
  async idsByExternalId(
    endeavourId: string,
    source: string,
    externalIds: readonly string[],
  ): Promise<Map<string, string>> {
    const rows = await this.database.query<{ external: string; id: string }>(
      `SELECT t.external_ref ->> 'id' AS external, t.id FROM tasks t
       WHERE t.external_ref ->> 'source' = $2 AND t.external_ref ->> 'id' = ANY($3::text[]) AND t.endeavour_id = $1`,
      [endeavourId, source, externalIds],
    );
    return new Map(rows.map(({ external, id }) => [external, id]));
  }

  /** Whether the hours of the task are the sum of its time entries. */
  async hasTimeEntries(id: string): Promise<boolean> {
    const row = await this.database.one('SELECT 1 FROM tasks WHERE id = $1 AND logged_minutes IS NOT NULL', [id]);
    return row !== undefined;
  }

  /** Runs the writes while the triggers of tasks take the times of status changes from the written rows. */
  async keepingTimes(write: () => Promise<void>): Promise<void> {
    await this.database.query(`SELECT set_config('worksmith.importing', 'on', true)`);
    await write();
    await this.database.query(`SELECT set_config('worksmith.importing', 'off', true)`);
  }
}
