import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { ChildPool } from '../../platform/process/child-pool.js';

const PROGRAM = { name: 'differ.child', beside: import.meta.url, mostMemoryMb: 256 };
const TURNS = { atOnce: 2, atOncePerUser: 1, waiting: 100, waitingPerUser: 10 };

const LIMIT_MS = 1_000;
/** The program gives up by itself a little before it is ended, so that what it has found is not lost. */
const OWN_LIMIT_MS = 900;

/** Two texts of the same name. */
export interface ComparedTexts {
  name: string;
  from: string;
  to: string;
}

/** Texts to be compared within so many milliseconds in all. */
export interface DiffJob {
  texts: readonly ComparedTexts[];
  limitMs: number;
}

/** Compares texts in processes of its own, for a second at most: some take far longer. Users take turns. */
@Injectable()
export class Differ implements OnApplicationShutdown {
  private readonly log = new Logger(Differ.name);
  private readonly turns = new FairQueue(TURNS);
  private readonly pool = new ChildPool<DiffJob, (string | null)[]>(PROGRAM);

  /** For each pair a unified diff; null where it could not be made in time. */
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
