import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { ChildPool } from '../../platform/process/child-pool.js';

const PROGRAM = { name: 'differ.child', baseUrl: import.meta.url, maxMemoryMb: 256 };
const QUEUE_LIMITS = { atOnce: 2, atOncePerUser: 1, waiting: 100, waitingPerUser: 10 };

/** The share of the time after which the child process stops on its own, to return the results that it has. */
const OWN_SHARE = 0.9;

/** The two texts of a property. */
interface TextPair {
  name: string;
  from: string;
  to: string;
}

/** The texts to compare, and the time limit in milliseconds for all of them. */
export interface DiffJob {
  texts: readonly TextPair[];
  limitMs: number;
}

/**
 * Compares texts in child processes and stops after DIFF_TIMEOUT_MS, because some comparisons take far longer. Requests wait in
 * a queue that is fair to users.
 */
@Injectable()
export class Differ implements OnApplicationShutdown {
  private readonly log = new Logger(Differ.name);
  private readonly queue = new FairQueue(QUEUE_LIMITS);
  private readonly pool = new ChildPool<DiffJob, (string | null)[]>(PROGRAM);

  constructor(private readonly settings: Settings) {}

  /** Returns a unified diff for each pair; null if the comparison exceeded the time limit. */
  async compare(user: string, texts: readonly TextPair[]): Promise<(string | null)[]> {
    if (texts.length === 0) return [];
    return this.queue.run(user, () => this.runJob(texts));
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  private async runJob(texts: readonly TextPair[]): Promise<(string | null)[]> {
    try {
      const { DIFF_TIMEOUT_MS } = this.settings;
      return await this.pool.run({ texts, limitMs: OWN_SHARE * DIFF_TIMEOUT_MS }, DIFF_TIMEOUT_MS);
    } catch (error) {
      this.log.warn(`The comparison of ${texts.length} texts was stopped: ${String(error)}`);
      return texts.map(() => null);
    }
  }
}
