import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { rateLimited } from './rate-limited.js';

const MAX_CONCURRENT = 2;
const RETRY_SECONDS = 5;
/** No export takes longer. */
const MAX_SECONDS = 120;

/** Limits long-running reads: two at once per process, and one per user over all replicas. */
@Injectable()
export class ExportLimiter {
  private running = 0;

  constructor(private readonly database: Database) {}

  /** Runs an export; 429 if two are running in this process. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_CONCURRENT) throw busy('of one process', MAX_CONCURRENT);
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }

  /** Locks exports of the user until the end of the transaction; 429 if one is running on any replica. */
  async claim(userId: string): Promise<void> {
    const row = await this.database.holding(MAX_SECONDS, () =>
      this.database.one<{ free: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 11)) AS free', [
        userId,
      ]),
    );
    if (row?.free !== true) throw busy('of one user', 1);
  }
}

const busy = (whose: string, most: number) =>
  rateLimited({ name: 'exports', counts: `exports ${whose}`, most, seconds: null, setting: null }, RETRY_SECONDS);
