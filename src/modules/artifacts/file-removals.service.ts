import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { FileStore } from '../../platform/files/file-store.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { FileRemovalsRepository } from './file-removals.repository.js';

const EVERY_MS = 10_000;
/** A run ends after this time, so that the next one begins with what is due by then. */
const RUN_MS = 60_000;
const BATCH_SIZE = 100;
const MIN_PAUSE_SECONDS = 10;
const MAX_PAUSE_SECONDS = 3_600;

/** Removes the objects of files whose artifacts are deleted or erased, and tries again until the store confirms it. */
@Injectable()
export class FileRemovals implements OnModuleInit {
  private readonly log = new Logger('Files');

  constructor(
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
    private readonly removals: FileRemovalsRepository,
    private readonly store: FileStore,
  ) {}

  onModuleInit(): void {
    this.jobs.every('file_removals', EVERY_MS, () => this.removeDue());
    this.metrics.queue('files', () => this.removals.queue());
  }

  private async removeDue(): Promise<void> {
    if (!this.store.isConfigured) return;
    const end = performance.now() + RUN_MS;
    while (performance.now() < end) {
      const due = await this.removals.due(BATCH_SIZE);
      for (const { key, failures } of due) {
        // A store that has not answered once would let each of the others wait, too.
        if (!(await this.remove(key, failures)) || performance.now() >= end) return;
      }
      if (due.length < BATCH_SIZE) return;
    }
  }

  /** Returns whether the store has removed the object. */
  private async remove(key: string, failures: number): Promise<boolean> {
    try {
      await this.store.remove(key);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const seconds = Math.min(MIN_PAUSE_SECONDS * 2 ** Math.min(failures, 20), MAX_PAUSE_SECONDS);
      if (failures === 0) this.log.warn(`The store of files does not remove an object: ${problem}`);
      await this.removals.postpone(key, problem, seconds);
      return false;
    }
    await this.removals.done(key);
    return true;
  }
}
