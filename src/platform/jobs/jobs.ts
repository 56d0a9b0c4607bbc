import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { Tracing } from '../tracing/tracing.js';
import { Clock } from './clock.js';
import { JobTable, type ClaimedJob } from './job-table.js';
import { Loop } from './loop.js';

const POLL_MS = 1_000;
/** The retry delay after a failure, unless the job is due earlier. */
const RETRY_MS = 60_000;

interface Job {
  intervalMs: number;
  work: () => Promise<void>;
}

/**
 * Runs recurring work in the background. One replica runs a job at a time: it claims the job's row, renews the claim
 * while it works, and sets the next time at the end. The claim of a dead process expires after a minute.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Jobs');
  private readonly jobs = new Map<string, Job>();
  private readonly running = new Set<Promise<void>>();
  private readonly loop = new Loop('recurring jobs', () => this.startNext(), POLL_MS);

  private readonly count: (name: string) => void;

  constructor(
    private readonly table: JobTable,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly tracing: Tracing,
    metrics: Metrics,
  ) {
    this.count = metrics.counter('job_failures', 'Runs of recurring jobs that failed, by name.', 'name');
  }

  /** Called when modules start. The first run is immediate; runs missed while no replica was running count as one. */
  every(name: string, intervalMs: number, work: () => Promise<void>): void {
    if (this.jobs.has(name)) throw new Error(`two jobs have the name ${name}`);
    this.jobs.set(name, { intervalMs, work });
  }

  onApplicationBootstrap(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.running);
  }

  /** Runs all due jobs that no other process has claimed, and waits for them. */
  async runDue(): Promise<void> {
    while (await this.startNext()) continue;
    await Promise.all(this.running);
  }

  /** Starts a due job without waiting for its end, because a long job must not delay the others. */
  private async startNext(): Promise<boolean> {
    await this.table.ensureRows([...this.jobs.keys()]);
    const claimed = await this.table.claim([...this.jobs.keys()]);
    if (claimed === undefined) return false;
    const run = this.run(claimed).finally(() => this.running.delete(run));
    this.running.add(run);
    return true;
  }

  private async run(claimed: ClaimedJob): Promise<void> {
    const job = this.jobs.get(claimed.name);
    if (job === undefined) return;
    const renewal = this.table.renewPeriodically(claimed);
    const failure = await this.tracing.during(`job ${claimed.name}`, 'internal', {}, job.work).then(
      () => null,
      (error: unknown) => String(error),
    );
    clearInterval(renewal);
    const delay = failure === null ? job.intervalMs : Math.min(job.intervalMs, RETRY_MS);
    if (failure !== null) {
      this.count(claimed.name);
      this.log.error(`The job ${claimed.name} failed, and runs again in ${delay / 1_000} s: ${failure}`);
    }
    const next = new Date(this.clock.now().getTime() + delay);
    await this.table
      .release(claimed, next, failure)
      .catch((error: unknown) =>
        this.log.warn(`${claimed.name} ran, but could not be marked as done: ${String(error)}`),
      );
  }
}
