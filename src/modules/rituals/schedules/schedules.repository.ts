import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import { Database } from '../../../platform/database/database.js';
import { isScheduled } from '../ritual.entity.js';
import { RitualRun } from '../runs/ritual-run.entity.js';
import { ritualRunView } from '../runs/ritual-run.view.js';
import type { RitualTask } from '../ritual-task.js';
import type { Schedule } from './schedule.js';

/** A due ritual, or one whose next time has to be recalculated. */
export interface Due {
  id: string;
  name: string;
  prompt: string | null;
  lang: string;
  version: number;
  revision: number;
  schedule: Schedule;
  endeavourId: string;
  task: RitualTask | null;
  taskCreatedBy: string | null;
  taskChangedBy: string | null;
  iterationDays: number | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  nextRunAt: Date | null;
  timezone: string;
  /** Whether the endeavour is neither completed nor archived. */
  isLiving: boolean;
  /** Whether the time already has a run, because the clock of another replica was ahead. */
  isServed: boolean;
}

/**
 * `$1` is the current time, `$2` the ids of rituals that were processed already. While an operation works on their
 * endeavour, rituals stay due.
 */
const DUE = `
  SELECT r.id, r.name, r.prompt, r.lang, r.version, r.revision, r.schedule, r.endeavour_id AS "endeavourId",
    r.task, r.task_created_by AS "taskCreatedBy", r.task_changed_by AS "taskChangedBy",
    r.iteration_days AS "iterationDays", r.created_by AS "createdBy", r.updated_at AS "updatedAt", r.created_at AS "createdAt", r.next_run_at AS "nextRunAt", e.timezone,
    e.status NOT IN ('completed', 'archived') AS "isLiving",
    EXISTS (SELECT 1 FROM ritual_runs n WHERE n.ritual_id = r.id AND n.scheduled_for = r.next_run_at) AS "isServed"
  FROM rituals r ${joinEndeavour('e', 'r.endeavour_id')}
  WHERE ${isScheduled('r.')} AND e.closed_by IS NULL AND r.id <> ALL($2::text[])
    AND (r.next_run_at <= $1 OR r.next_run_at IS NULL)`;

/** Reads and writes the state of schedules. */
@Injectable()
export class SchedulesRepository {
  constructor(
    private readonly database: Database,
    private readonly bulkWriter: BulkWriter,
  ) {}

  /** The ritual that has been due longest, except those processed already and those of the creators. */
  next(now: Date, { processed, creators }: { processed: string[]; creators: string[] }): Promise<Due | undefined> {
    return this.database.one<Due>(`${DUE} AND r.created_by <> ALL($3::text[]) ORDER BY r.next_run_at LIMIT 1`, [
      now,
      processed,
      creators,
    ]);
  }

  /** Locks the ritual; undefined if it is no longer due or another replica has locked it. */
  lockDue(now: Date, id: string): Promise<Due | undefined> {
    return this.database.one<Due>(
      `${DUE} AND r.id = $3 FOR NO KEY UPDATE OF r SKIP LOCKED FOR KEY SHARE OF e SKIP LOCKED`,
      [now, [], id],
    );
  }

  /** Stores the next time, without a revision or event. */
  async setNextRun(id: string, next: Date | undefined): Promise<void> {
    await this.database.query('UPDATE rituals SET next_run_at = $2 WHERE id = $1', [id, next ?? null]);
  }

  /** Fails running scheduled runs that have not been changed or claimed. */
  async endUntouched(ritualId: string, now: Date): Promise<void> {
    await this.bulkWriter.patchAll(null, ritualRunView, RitualRun, {
      where: `n.ritual_id = $1 AND n.status = 'running' AND n.trigger = 'schedule' AND n.revision = 1 AND n.run_by IS NULL`,
      parameter: ritualId,
      changes: { status: 'failed', error: { code: 'untouched' }, finishedAt: now },
      type: 'ritual_run.status_changed',
    });
  }

  /** Whether a scheduled run is in progress. */
  async isBusy(ritualId: string): Promise<boolean> {
    const row = await this.database.one<{ isBusy: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ritual_runs n
         WHERE n.ritual_id = $1 AND n.status = 'running' AND n.trigger = 'schedule') AS "isBusy"`,
      [ritualId],
    );
    return row?.isBusy === true;
  }

  /** Fails the runs that have been running since `since` or longer. */
  async endOverdue(since: Date, now: Date): Promise<void> {
    await this.bulkWriter.patchAll(null, ritualRunView, RitualRun, {
      where: "n.status = 'running' AND n.started_at <= $1",
      parameter: since,
      changes: { status: 'failed', error: { code: 'timeout' }, finishedAt: now },
      type: 'ritual_run.status_changed',
    });
  }
}
