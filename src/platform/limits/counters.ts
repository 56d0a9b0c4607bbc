import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Housekeeping } from '../jobs/housekeeping.js';

/** The count of a time window. */
export interface WindowCount {
  count: number;
  /** Seconds until the window ends. */
  endsIn: number;
}

/** The attempts at a secret from one address that are not delayed. */
export const FREE_ATTEMPTS = 5;
const MAX_DELAY_SECONDS = 900;
const RESET_AFTER_SECONDS = 3600;

/** The key of a counter; hashed, so that it is short and addresses cannot be read from the table. */
export const counterKey = (name: string, subject: string): string =>
  `${name}:${createHash('sha256').update(subject).digest('base64url').slice(0, 22)}`;

/** SQL for the current count under a key, without incrementing it. */
export const presentCount = (key: string): string =>
  `coalesce((SELECT count FROM rate_counters WHERE key = ${key} AND ends_at > clock_timestamp()), 0)::integer`;

/**
 * Counters shared by all replicas. Each operation is one atomic statement that counts before a decision, so that
 * concurrent attempts are all counted.
 */
@Injectable()
export class Counters implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('rate_counters', "ends_at < now() - interval '1 hour'");
  }

  /** The current count, without incrementing it. */
  async read(name: string, subject: string): Promise<WindowCount> {
    const row = await this.database.one<WindowCount>(
      `SELECT count, ceil(extract(epoch FROM ends_at - clock_timestamp()))::integer AS "endsIn"
       FROM rate_counters WHERE key = $1 AND ends_at > clock_timestamp()`,
      [counterKey(name, subject)],
    );
    return row ?? { count: 0, endsIn: 0 };
  }

  /** Increments the counter, in the current transaction if any (a rollback undoes it); with 0, only reads and locks it. */
  async count(name: string, subject: string, windowSeconds: number, by = 1): Promise<WindowCount> {
    const row = await this.database.one<WindowCount>(
      `INSERT INTO rate_counters AS c (key, count, ends_at)
       VALUES ($1, $3, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.count ELSE c.count + excluded.count END,
         ends_at = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE c.ends_at END
       RETURNING count, ceil(extract(epoch FROM ends_at - clock_timestamp()))::integer AS "endsIn"`,
      [counterKey(name, subject), windowSeconds, by],
    );
    if (row === undefined) throw new Error('the upsert returned no row');
    return row;
  }

  /** Adds to the hourly counters under these keys, without limiting them. */
  async addHourly(counts: ReadonlyMap<string, number>): Promise<void> {
    await this.database.query(
      `INSERT INTO rate_counters AS c (key, count, ends_at)
       SELECT added.key, added.count, clock_timestamp() + interval '1 hour'
       FROM unnest($1::text[], $2::integer[]) AS added (key, count) ORDER BY added.key
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.count ELSE c.count + excluded.count END,
         ends_at = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE c.ends_at END`,
      [[...counts.keys()], [...counts.values()]],
    );
  }

  /**
   * Takes one attempt. The first five are free; after each further one, the delay doubles up to 15 minutes. Returns the
   * seconds to wait, 0 if the attempt may proceed.
   */
  async take(name: string, subject: string): Promise<number> {
    const key = counterKey(name, subject);
    const [taken] = await this.database.query(
      `INSERT INTO rate_counters AS c (key, count, ends_at)
       VALUES ($1, 1, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN c.ends_at <= clock_timestamp() THEN 1 ELSE c.count + 1 END,
         ends_at = excluded.ends_at,
         held_until = CASE WHEN c.ends_at <= clock_timestamp() OR c.count + 1 < $3 THEN clock_timestamp()
           ELSE clock_timestamp() + make_interval(secs => least(2 ^ least(c.count + 1 - $3, 20), $4)) END
       WHERE c.held_until <= clock_timestamp() RETURNING 1`,
      [key, RESET_AFTER_SECONDS, FREE_ATTEMPTS, MAX_DELAY_SECONDS],
    );
    if (taken !== undefined) return 0;
    const row = await this.database.one<{ seconds: number }>(
      `SELECT greatest(1, ceil(extract(epoch FROM held_until - clock_timestamp())))::integer AS seconds
       FROM rate_counters WHERE key = $1`,
      [key],
    );
    return row?.seconds ?? 1;
  }

  /** Resets all attempts after a successful one. */
  async forget(name: string, subject: string): Promise<void> {
    await this.database.query('DELETE FROM rate_counters WHERE key = $1', [counterKey(name, subject)]);
  }

  /** Takes back a count that turned out not to apply. */
  async takeBack(name: string, subject: string): Promise<void> {
    await this.database.query('UPDATE rate_counters SET count = greatest(count - 1, 0) WHERE key = $1', [
      counterKey(name, subject),
    ]);
  }
}
