import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { sinkTarget } from '../../../platform/audit/sink-target.js';
import { headersIn } from '../../../platform/config/header-pairs.js';
import { Settings } from '../../../platform/config/settings.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { AuditSinkRepository, type SinkState } from './audit-sink.repository.js';
import type { AuditSink, SealedEntry } from './audit-sink.js';
import { HttpsSink } from './https-sink.js';
import { SyslogSink } from './syslog-sink.js';

const EVERY_MS = 5_000;
const BATCH_SIZE = 500;
/** A run takes no longer, so that the process can end; the next one continues. */
const RUN_MS = 2_000;
const MIN_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 300;

/**
 * Sends the sealed entries of the audit to the receiver of AUDIT_SINK: at least once, in the order of their seals. One
 * process sends at a time. After a failure it pauses, for up to five minutes; nothing is left out meanwhile.
 */
@Injectable()
export class AuditSinkService implements OnModuleInit {
  private readonly log = new Logger('Audit');
  private readonly sink: AuditSink | undefined;
  private readonly target: string;

  constructor(
    { AUDIT_SINK: url, AUDIT_SINK_HEADERS: headers }: Settings,
    private readonly jobs: Jobs,
    private readonly repository: AuditSinkRepository,
    private readonly metrics: Metrics,
  ) {
    this.target = url === undefined ? '' : sinkTarget(url);
    if (url !== undefined) {
      this.sink = /^https?:/.test(url) ? new HttpsSink(url, headersIn(headers)) : new SyslogSink(url);
    }
  }

  onModuleInit(): void {
    // Without a receiver, the job has nothing to do; a row of a job that no process runs would look stuck.
    this.jobs.every('audit_sink', EVERY_MS, () => this.run());
    if (this.sink !== undefined) this.metrics.queue('audit_sink', () => this.repository.queue(this.target));
  }

  private async run(): Promise<void> {
    if (this.sink === undefined) return;
    const state = await this.repository.state(this.target);
    if (state.isDue) await this.send(this.sink, state);
  }

  private async send(sink: AuditSink, start: SinkState): Promise<void> {
    const end = performance.now() + RUN_MS;
    let state = start;
    while (performance.now() < end) {
      const entries = await this.repository.after(state.position, BATCH_SIZE);
      if (entries.length === 0) return;
      try {
        await sink.send(entries);
      } catch (error) {
        return this.postpone(state, error instanceof Error ? error.message : String(error));
      }
      const { position } = entries[entries.length - 1];
      if (!(await this.repository.advance(this.target, state.position, position))) return;
      this.reportTaken(state, entries[0]);
      if (entries.length < BATCH_SIZE) return;
      state = { ...state, position, failures: 0, lastError: null };
    }
  }

  private async postpone({ failures, lastError }: SinkState, problem: string): Promise<void> {
    const seconds = Math.min(MIN_PAUSE_SECONDS * 2 ** Math.min(failures, 20), MAX_PAUSE_SECONDS);
    if (problem !== lastError) this.log.warn(`${this.target} does not accept the audit: ${problem}`);
    await this.repository.postpone(this.target, problem, seconds);
  }

  /** Entries are missing before the first one if they became older than AUDIT_DAYS while the receiver took nothing. */
  private reportTaken({ position, lastError }: SinkState, first: SealedEntry): void {
    if (lastError !== null) this.log.log(`${this.target} accepts the audit again`);
    const [from, to] = [position + 1, first.position - 1];
    if (from > to) return;
    this.log.error(`The entries ${from} to ${to} of the audit no longer exist; ${this.target} never got them.`);
  }
}
