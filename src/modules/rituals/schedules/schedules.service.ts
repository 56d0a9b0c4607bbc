import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../common/ids.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { MessagesService } from '../../messages/messages.service.js';
import { hasPrompt, Prompts } from '../prompts.js';
import { RitualRun } from '../runs/ritual-run.entity.js';
import { ritualRunView } from '../runs/ritual-run.view.js';
import { RitualIterations } from '../ritual-iterations.service.js';
import { RitualTasks } from '../ritual-tasks.service.js';
import type { RunStatus } from '../ritual.lifecycle.js';
import { nextTime } from './schedule.js';
import { SchedulesRepository, type Due } from './schedules.repository.js';

const PAUSE_MS = 5_000;
/** Rituals that are due after this time are started by the next run of the job. */
const MAX_PASS_MS = 20_000;
/** After this time, the other creators of due rituals are next. */
const TURN_MS = 1_000;
const HOUR_MS = 3_600_000;

/** The time that the rituals of each creator have taken in this round. */
class Turns {
  private readonly timeByCreator = new Map<string, number>();

  count(creator: string, ms: number): void {
    this.timeByCreator.set(creator, (this.timeByCreator.get(creator) ?? 0) + ms);
  }

  /** The creators whose rituals have taken their share. */
  ended(): string[] {
    return [...this.timeByCreator].filter(([, ms]) => ms >= TURN_MS).map(([creator]) => creator);
  }

  startRound(): void {
    this.timeByCreator.clear();
  }
}

/** A run without a prompt is complete with its task; the task is the work, and tells whom it concerns. */
function stateOf({ isBusy, isComplete, now }: { isBusy: boolean; isComplete: boolean; now: Date }): {
  status: RunStatus;
  startedAt?: Date;
  finishedAt?: Date;
} {
  if (isBusy) return { status: 'skipped', finishedAt: now };
  if (isComplete) return { status: 'succeeded', startedAt: now, finishedAt: now };
  return { status: 'running', startedAt: now };
}

/** Starts ritual runs on schedule. */
@Injectable()
export class SchedulesService implements OnModuleInit {
  private readonly log = new Logger('Rituals');

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly iterations: RitualIterations,
    private readonly jobs: Jobs,
    private readonly messages: MessagesService,
    private readonly prompts: Prompts,
    private readonly schedules: SchedulesRepository,
    private readonly settings: Settings,
    private readonly tasks: RitualTasks,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('rituals', PAUSE_MS, () => this.runDue());
  }

  /** Starts the runs of due rituals, and then ends overdue runs. */
  async runDue(): Promise<void> {
    await this.startDue();
    const now = this.clock.now();
    const since = new Date(now.getTime() - this.settings.RITUAL_RUN_HOURS * HOUR_MS);
    await this.database.transaction(() => this.schedules.endOverdue(since, now));
  }

  /**
   * Starts the runs of due rituals; if one fails, the others still run. Creators take turns, and the total time is
   * limited, so that slow prompts delay neither the rituals of other creators nor the end of overdue runs.
   */
  private async startDue(): Promise<void> {
    const start = this.clock.now().getTime();
    const processed: string[] = [];
    const turns = new Turns();
    let passed = 0;
    while (passed < MAX_PASS_MS) {
      const due = await this.next(processed, turns);
      if (due === undefined) return;
      processed.push(due.id);
      await this.runOne(due).catch((error: unknown) => this.log.error(`ritual ${due.id}: ${String(error)}`));
      const before = passed;
      passed = this.clock.now().getTime() - start;
      turns.count(due.createdBy, passed - before);
    }
  }

  /** The next due ritual of a creator whose turn has not ended; a new round starts if there is none. */
  private async next(processed: string[], turns: Turns): Promise<Due | undefined> {
    const creators = turns.ended();
    const due = await this.schedules.next(this.clock.now(), { processed, creators });
    if (due !== undefined || creators.length === 0) return due;
    turns.startRound();
    return this.next(processed, turns);
  }

  /**
   * Starts the run of a due ritual. Renders the prompt before locking the ritual, because rendering can take seconds.
   */
  private async runOne(candidate: Due): Promise<void> {
    const prompt = candidate.isLiving ? await this.prompts.render(candidate) : undefined;
    const now = this.clock.now();
    await this.database.transaction(async () => {
      const due = await this.schedules.lockDue(now, candidate.id);
      if (due === undefined) return;
      // What changed since it was rendered is rendered in the next pass.
      if (due.revision !== candidate.revision || due.isLiving !== candidate.isLiving) return;
      // Missed times are skipped.
      await this.schedules.setNextRun(
        due.id,
        nextTime(due.schedule, now, { timezone: due.timezone, start: due.createdAt }),
      );
      if (due.nextRunAt === null || prompt === undefined || due.isServed) return;
      await this.start(due, due.nextRunAt, prompt, now);
    });
  }

  private async start(due: Due, scheduledFor: Date, prompt: string, now: Date): Promise<void> {
    const { id: ritualId, version: ritualVersion, endeavourId, name } = due;
    await this.schedules.endUntouched(ritualId, now);
    const isBusy = await this.schedules.isBusy(ritualId);
    const id = newId('ritual_run');
    const made = isBusy
      ? undefined
      : await this.tasks.make(null, { runId: id, ritual: due, timezone: due.timezone, now });
    const planErrors = isBusy ? [] : await this.iterations.plan(null, { ritual: due, timezone: due.timezone, now });
    const taskErrors = [...(made?.taskErrors ?? []), ...planErrors];
    const hasTask = made !== undefined && made.taskId !== null;
    const { status, ...times } = stateOf({ isBusy, isComplete: hasTask && !hasPrompt(due), now });
    await this.writer.create(null, ritualRunView, RitualRun, {
      row: {
        id,
        ritualId,
        ritualVersion,
        endeavourId,
        status,
        trigger: 'schedule',
        scheduledFor,
        ...times,
        ...made,
        taskErrors,
      },
      place: { endeavourId },
      title: name,
    });
    if (status !== 'running') return;
    await this.messages.send(null, {
      scope: { type: 'endeavour', id: endeavourId },
      subject: name,
      content: prompt,
      intent: 'action',
      entityId: id,
    });
  }
}
