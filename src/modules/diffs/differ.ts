import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { ChildPool } from '../../platform/process/child-pool.js';

const PROGRAM = { name: 'differ.child', baseUrl: import.meta.url, maxMemoryMb: 256 };
const TURNS = { atOnce: 2, atOncePerUser: 1, waiting: 100, waitingPerUser: 10 };

const LIMIT_MS = 1_000;
/** The process stops by itself slightly before it is killed, so that its results so far are kept. */
const OWN_LIMIT_MS = 900;

/** Two texts of the same property. */
export interface ComparedTexts {
  name: string;
  from: string;
  to: string;
}

/** Texts to be compared, with a time limit in milliseconds for all. */
export interface DiffJob {
  texts: readonly ComparedTexts[];
  limitMs: number;
}

/**
 * Compares texts in child processes, for at most a second, because some comparisons take far longer. Users take turns.
 */
@Injectable()
export class Differ implements OnApplicationShutdown {
  private readonly log = new Logger(Differ.name);
  private readonly turns = new FairQueue(TURNS);
  private readonly pool = new ChildPool<DiffJob, (string | null)[]>(PROGRAM);

  /** A unified diff for each pair; null if the time was not sufficient. */
  async compare(user: string, texts: readonly ComparedTexts[]): Promise<(string | null)[]> {
    if (texts.length === 0) return [];
    return this.turns.run(user, () => this.work(texts));
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  private async work(texts: readonly ComparedTexts[]): Promise<(string | null)[]> {
    try {
      return await this.pool.run({ texts, limitMs: OWN_LIMIT_MS }, LIMIT_MS);
    } catch (error) {
      this.log.warn(`a comparison of texts was stopped: ${String(error)}`);
      return texts.map(() => null);
    }
  }
}
