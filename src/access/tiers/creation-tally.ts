import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Counters } from '../../platform/limits/counters.js';

const FLUSH_MS = 1_000;

/**
 * Counts the creations of people whose number is not limited, for their usage. They are counted in memory and written
 * together, outside of the requests; counts not yet written are lost when the process is killed.
 */
@Injectable()
export class CreationTally implements OnModuleDestroy {
  private readonly log = new Logger(CreationTally.name);
  private pending = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  /** Prevents that the writes inherit the context (such as the transaction) of a request. */
  private readonly inOwnContext = AsyncResource.bind((task: () => Promise<void>) => task());

  constructor(private readonly counters: Counters) {}

  record(key: string): void {
    this.pending.set(key, (this.pending.get(key) ?? 0) + 1);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /**
   * Reads stored counts together with the number that is not written yet. Waits only for a write that is in progress, and
   * reads again if one has begun meanwhile: its counts are in neither or in both.
   */
  async readBeside<T>(key: string, read: () => Promise<T>): Promise<{ stored: T; pending: number }> {
    for (;;) {
      if (this.isWriting) await this.writing;
      const pending = this.pending.get(key) ?? 0;
      const { writing } = this;
      const stored = await read();
      if (writing === this.writing) return { stored, pending };
    }
  }

  /** Writes what has been counted, without waiting until the second is over. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = this.pending;
    this.pending = new Map();
    if (counts.size > 0) this.writing = this.inOwnContext(() => this.writing.then(() => this.write(counts)));
    await this.writing;
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private async write(counts: Map<string, number>): Promise<void> {
    this.isWriting = true;
    try {
      await this.counters.addHourly(counts);
    } catch (error) {
      this.log.warn(`Could not save the number of creations of ${counts.size} people.`, error);
    } finally {
      this.isWriting = false;
    }
  }
}
