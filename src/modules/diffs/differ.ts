import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { ChildPool } from '../../platform/process/child-pool.js';

const PROGRAM = { name: 'differ.child', baseUrl: import.meta.url, maxMemoryMb: 256 };
const QUEUE_LIMITS = { atOnce: 2, atOncePerUser: 1, waiting: 100, waitingPerUser: 10 };

const LIMIT_MS = 1_000;
/** The child process stops on its own before it is killed, so that it can return the results that it has. */
const OWN_LIMIT_MS = 900;

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
 * Compares texts in child processes and stops after a second, because some comparisons take far longer. Requests wait in
 * a queue that is fair to users.
 */
@Injectable()
export class Differ implements OnApplicationShutdown {
  private readonly log = new Logger(Differ.name);
  private readonly queue = new FairQueue(QUEUE_LIMITS);
  private readonly pool = new ChildPool<DiffJob, (string | null)[]>(PROGRAM);

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
      return await this.pool.run({ texts, limitMs: OWN_LIMIT_MS }, LIMIT_MS);
    } catch (error) {
      this.log.warn(`The comparison of ${texts.length} texts was stopped: ${String(error)}`);
      return texts.map(() => null);
    }
  }
}
