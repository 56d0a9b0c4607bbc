import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics, readQueue } from '../metrics/metrics.js';
import { claimNext } from './claim.js';
import { Clock } from './clock.js';

/** A job that only this process may run; `claim` distinguishes it from later claims. */
export interface ClaimedJob {
  name: string;
  claim: number;
}

const CLAIM = '60 seconds';
const RENEW_MS = 20_000;
const CLAIM_NEXT = claimNext({
  table: 'jobs',
  key: 'name',
  counter: 'claim',
  isDue: 'name = ANY($1) AND due_at <= $2',
  order: 'due_at',
  period: CLAIM,
  returning: 'name, claim',
});

/**
 * Assigns jobs to processes. The {@link Clock} decides when a job is due; the database's clock, which all replicas
 * share, decides whether a claim is valid.
 */
@Injectable()
export class JobTable {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.queue('jobs', () =>
      readQueue(database, 'jobs WHERE due_at <= $1 AND coalesce(locked_until, now()) <= now()', [clock.now()]),
    );
  }

  /** Inserts the rows of these jobs if they are missing. */
  async ensureRows(names: string[]): Promise<void> {
    const unknown = names.filter((name) => !this.known.has(name));
    if (unknown.length === 0) return;
    await this.database.query(
      'INSERT INTO jobs (name, due_at) SELECT unnest($1::text[]), $2 ON CONFLICT (name) DO NOTHING',
      [unknown, this.clock.now()],
    );
    for (const name of unknown) this.known.add(name);
  }

  claim(names: string[]): Promise<ClaimedJob | undefined> {
    return this.database.one<ClaimedJob>(CLAIM_NEXT, [names, this.clock.now()]);
  }

  /** Renews the claim until the returned timer is cleared. */
  renewPeriodically({ name, claim }: ClaimedJob): NodeJS.Timeout {
    const renew = (): void =>
      void this.database
        .query(`UPDATE jobs SET locked_until = now() + interval '${CLAIM}' WHERE name = $1 AND claim = $2`, [
          name,
          claim,
        ])
        // Ignored, because the next renewal may succeed.
        .catch(() => undefined);
    return setInterval(renew, RENEW_MS).unref();
  }

  async release({ name, claim }: ClaimedJob, dueAt: Date, lastError: string | null): Promise<void> {
    await this.database.query(
      `UPDATE jobs SET due_at = $3, locked_until = NULL, last_error = $4, finished_at = now()
       WHERE name = $1 AND claim = $2`,
      [name, claim, dueAt, lastError],
    );
  }
}
