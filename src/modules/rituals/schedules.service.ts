import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { printable } from '../../common/text.js';
import { Writes } from '../../platform/changes/writes.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Sweeps } from '../../platform/changes/sweeps.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { MessagesService } from '../messages/messages.service.js';
import { RitualRun } from './ritual-run.entity.js';
import { ritualRunView } from './ritual-run.view.js';
import type { RunStatus } from './ritual.lifecycle.js';
import { nextTime, type Schedule } from './schedule.js';

const PAUSE_MS = 5_000;
const HOUR_MS = 3_600_000;
const MOST_CONTENT = 50_000;

interface Due {
  id: string;
  name: string;
  prompt: string | null;
  version: number;
  schedule: Schedule;
  endeavourId: string;
  createdAt: Date;
  nextRunAt: Date | null;
  timezone: string;
  isLiving: boolean;
  /** Whether an earlier run is not over yet. */
  isBusy: boolean;
  /** Whether this very time was served before, when a clock of another replica was ahead. */
  isServed: boolean;
}

/** A ritual whose time has come, or whose time has to be worked out again, taken by one replica. */
const DUE = `
  SELECT r.id, r.name, r.prompt, r.version, r.schedule, r.endeavour_id AS "endeavourId", r.created_at AS "createdAt",
    r.next_run_at AS "nextRunAt", e.timezone, e.status NOT IN ('completed', 'archived') AS "isLiving",
    EXISTS (SELECT 1 FROM ritual_runs n WHERE n.ritual_id = r.id AND n.status = 'running') AS "isBusy",
    EXISTS (SELECT 1 FROM ritual_runs n WHERE n.ritual_id = r.id AND n.scheduled_for = r.next_run_at) AS "isServed"
  FROM rituals r JOIN endeavours e ON e.id = r.endeavour_id
  WHERE r.is_enabled AND r.schedule->>'type' <> 'manual' AND r.id <> ALL($2::text[])
    AND (r.next_run_at <= $1 OR r.next_run_at IS NULL)
  ORDER BY r.next_run_at LIMIT 1
  FOR NO KEY UPDATE OF r SKIP LOCKED FOR KEY SHARE OF e SKIP LOCKED`;

/** Lets rituals happen when their time comes. */
@Injectable()
export class SchedulesService implements OnModuleInit {
  private readonly log = new Logger('Rituals');

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly messages: MessagesService,
    private readonly settings: Settings,
    private readonly sweeps: Sweeps,
    private readonly writes: Writes,
  ) {}

  onModuleInit(): void {
    this.jobs.every('rituals', PAUSE_MS, () => this.sweep());
  }

  /** Ends runs that nobody ended, then serves every ritual whose time has come; one that fails does not hold up the rest. */
  async sweep(): Promise<void> {
    await this.endOverdueRuns();
    const tried: string[] = [];
    while (await this.serveNext(tried)) continue;
  }

  private async serveNext(tried: string[]): Promise<boolean> {
    const now = this.clock.now();
    const before = tried.length;
    try {
      return await this.database.transaction(async () => {
        const due = await this.database.one<Due>(DUE, [now, tried]);
        if (due === undefined) return false;
        tried.push(due.id);
        await this.plan(due, now);
        if (due.nextRunAt !== null && due.isLiving && !due.isServed) await this.run(due, due.nextRunAt, now);
        return true;
      });
    } catch (error) {
      // Without a ritual to blame it is the database that is away: asking it at once again would never end.
      if (tried.length === before) throw error;
      this.log.error(`ritual ${tried.at(-1)}: ${String(error)}`);
      return true;
    }
  }

  /** What follows from the schedule is no change of the ritual: neither revision nor event. Times that were missed are gone. */
  private async plan({ id, schedule, timezone, createdAt }: Due, now: Date): Promise<void> {
    const next = nextTime(schedule, now, { timezone, began: createdAt });
    await this.database.query('UPDATE rituals SET next_run_at = $2 WHERE id = $1', [id, next ?? null]);
  }

  private async run(due: Due, scheduledFor: Date, now: Date): Promise<void> {
    const { id: ritualId, version: ritualVersion, endeavourId, name, isBusy } = due;
    const id = newId('ritual_run');
    const status: RunStatus = isBusy ? 'skipped' : 'running';
    const times = isBusy ? { finishedAt: now } : { startedAt: now };
    await this.writes.create(null, ritualRunView, RitualRun, {
      row: { id, ritualId, ritualVersion, endeavourId, status, trigger: 'schedule', scheduledFor, ...times },
      place: { endeavourId },
      title: name,
    });
    if (!isBusy) await this.tell(due, id);
  }

  private async tell({ name, prompt, endeavourId }: Due, runId: string): Promise<void> {
    await this.messages.send(null, {
      scope: { type: 'endeavour', id: endeavourId },
      subject: name,
      content: prompt ? printable(prompt, MOST_CONTENT) : `It is time for: ${name}`,
      intent: 'action',
      entityId: runId,
    });
  }

  private async endOverdueRuns(): Promise<void> {
    const now = this.clock.now();
    const latest = new Date(now.getTime() - this.settings.RITUAL_RUN_HOURS * HOUR_MS);
    await this.database.transaction(() =>
      this.sweeps.patchAll(null, ritualRunView, RitualRun, {
        where: "n.status = 'running' AND n.started_at <= $1",
        parameter: latest,
        changes: { status: 'failed', error: { code: 'timeout' }, finishedAt: now },
        type: 'ritual_run.status_changed',
      }),
    );
  }
}
