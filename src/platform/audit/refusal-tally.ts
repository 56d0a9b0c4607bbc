import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { AuditTrail, type NewEntry } from './audit-trail.js';

const TICK_MS = 1_000;
const WINDOW_MS = 60_000;
/** Beyond this number of callers and operations per minute, refusals are counted by their code only. */
const MAX_KEYS = 1_000;

interface Tally {
  entry: NewEntry;
  /** The count since the last write. */
  unwritten: number;
  wasWritten: boolean;
}

/**
 * Counts refusals in memory per minute, caller and operation. Writes the first of each within a second and the others
 * at the end of the minute, so that a flood of refusals leads to at most a few thousand rows a minute, in statements
 * that no request waits for.
 */
@Injectable()
export class RefusalTally implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Audit');
  private readonly tallies = new Map<string, Tally>();
  private windowEnds = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  private readonly count: (action: string) => void;

  constructor(
    private readonly trail: AuditTrail,
    metrics: Metrics,
  ) {
    const help = 'Refusals that the audit records, by its action; sign_in.failed are failed sign-ins.';
    this.count = metrics.counter('audited_refusals', help, 'action', ['sign_in.failed']);
  }

  onApplicationBootstrap(): void {
    // Started outside of any request, so that its writes do not run in a request's context.
    this.timer = setInterval(() => void this.write(Date.now() >= this.windowEnds), TICK_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write(true);
  }

  /** Counts a refusal. */
  record(entry: NewEntry): void {
    this.count(entry.action);
    if (this.tallies.size === 0) this.windowEnds = Date.now() + WINDOW_MS;
    const { key, grouped } = this.groupOf(entry);
    const tally = this.tallies.get(key) ?? { entry: grouped, unwritten: 0, wasWritten: false };
    tally.unwritten += 1;
    this.tallies.set(key, tally);
  }

  /** Writes the counts that are not in an entry yet: those of new refusals, or all at the end of the minute. */
  async write(isOver: boolean): Promise<void> {
    await this.writing;
    this.writing = this.writeDue(isOver);
    await this.writing;
  }

  /** The key under which the refusal is counted, and the entry to write for that key. */
  private groupOf(entry: NewEntry): { key: string; grouped: NewEntry } {
    const { action, code, operation, caller, address, userId, email } = entry;
    const who = caller === undefined ? [address, userId, email] : [caller.userId, caller.tokenId ?? caller.sessionId];
    const key = JSON.stringify([action, code, operation, ...who]);
    if (this.tallies.has(key) || this.tallies.size < MAX_KEYS) return { key, grouped: entry };
    return { key: JSON.stringify([action, code]), grouped: { action, code, details: { callers: 'many' } } };
  }

  private async writeDue(isOver: boolean): Promise<void> {
    const due = [...this.tallies].filter(([, { unwritten, wasWritten }]) => unwritten > 0 && (isOver || !wasWritten));
    const entries = due.map(([, { entry, unwritten }]) => ({ ...entry, count: unwritten }));
    for (const [, tally] of due) Object.assign(tally, { unwritten: 0, wasWritten: true });
    try {
      await this.trail.write(entries);
    } catch (error) {
      // Nothing was written, so the counts are kept for the next attempt.
      due.forEach(([key, tally], at) => {
        this.tallies.set(key, { ...tally, unwritten: tally.unwritten + entries[at].count, wasWritten: false });
      });
      this.log.warn(`refusals could not be written to the audit and will be retried: ${String(error)}`);
      return;
    }
    if (isOver) for (const [key, { unwritten }] of this.tallies) if (unwritten === 0) this.tallies.delete(key);
    if (isOver) this.windowEnds = Date.now() + WINDOW_MS;
  }
}
