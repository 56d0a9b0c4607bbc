import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Database } from '../database/database.js';

const MOST_AT_ONCE = 2;
const RETRY_SECONDS = 5;

/** Bounds what reads much for a long time: two at once in a process, and one of each user over all replicas. */
@Injectable()
export class StreamTurns {
  private running = 0;

  constructor(private readonly database: Database) {}

  /** 429 where two are running here. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MOST_AT_ONCE) throw busy('Too many exports are running; try again in a moment.');
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }

  /** 429 where another one of the user is running anywhere; the lock goes with the transaction under way. */
  async claim(userId: string): Promise<void> {
    const row = await this.database.one<{ free: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 11)) AS free',
      [userId],
    );
    if (row?.free !== true) throw busy('Another export of yours is still running; try again when it has finished.');
  }
}

const busy = (message: string): ApiError => new ApiError('rate_limited', message, undefined, RETRY_SECONDS);
