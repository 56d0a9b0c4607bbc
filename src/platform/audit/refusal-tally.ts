import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail, type NewEntry } from './audit-trail.js';

const TICK_MS = 1_000;
const WINDOW_MS = 60_000;
/** More callers and operations than that within a minute are counted together, by what they were refused for. */
const MOST_KEYS = 1_000;

interface Tally {
  entry: NewEntry;
  /** How often since it was last written. */
  unwritten: number;
  wasWritten: boolean;
}

/**
 * Counts refusals per minute, caller and operation, in memory: the first of each is written within a second, the others
 * of that minute together at its end. So a flood of them is at most a few thousand rows a minute, in statements that no
 * request waits for.
 */
@Injectable()
export class RefusalTally implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Audit');
  private readonly tallies = new Map<string, Tally>();
  private windowEnds = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly trail: AuditTrail) {}

  onApplicationBootstrap(): void {
    // Begun outside of any request, so that what is written here belongs to none.
    this.timer = setInterval(() => void this.write(Date.now() >= this.windowEnds), TICK_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write(true);
  }

  note(entry: NewEntry): void {
    if (this.tallies.size === 0) this.windowEnds = Date.now() + WINDOW_MS;
    const { key, kept } = this.placeOf(entry);
    const tally = this.tallies.get(key) ?? { entry: kept, unwritten: 0, wasWritten: false };
    tally.unwritten += 1;
    this.tallies.set(key, tally);
  }

  /** Writes what no entry tells of yet: what was not written at all, and at the end of the minute everything. */
  async write(isOver: boolean): Promise<void> {
    await this.writing;
    this.writing = this.writeDue(isOver);
    await this.writing;
  }

  private placeOf(entry: NewEntry): { key: string; kept: NewEntry } {
    const { action, code, operation, caller, address, userId, email } = entry;
    const who = caller === undefined ? [address, userId, email] : [caller.userId, caller.tokenId ?? caller.sessionId];
    const key = JSON.stringify([action, code, operation, ...who]);
    if (this.tallies.has(key) || this.tallies.size < MOST_KEYS) return { key, kept: entry };
    return { key: JSON.stringify([action, code]), kept: { action, code, details: { callers: 'many' } } };
  }

  private async writeDue(isOver: boolean): Promise<void> {
    const due = [...this.tallies].filter(([, { unwritten, wasWritten }]) => unwritten > 0 && (isOver || !wasWritten));
    const entries = due.map(([, { entry, unwritten }]) => ({ ...entry, count: unwritten }));
    for (const [, tally] of due) Object.assign(tally, { unwritten: 0, wasWritten: true });
    try {
      await this.trail.write(entries);
    } catch (error) {
      // Nothing was written: it is counted on, and tried again.
      due.forEach(([key, tally], at) => {
        this.tallies.set(key, { ...tally, unwritten: tally.unwritten + entries[at].count, wasWritten: false });
      });
      this.log.warn(`refusals are not in the audit yet: ${String(error)}`);
      return;
    }
    if (isOver) for (const [key, { unwritten }] of this.tallies) if (unwritten === 0) this.tallies.delete(key);
    if (isOver) this.windowEnds = Date.now() + WINDOW_MS;
  }
}
