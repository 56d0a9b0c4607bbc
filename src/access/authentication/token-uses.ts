import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

const FLUSH_MS = 1_000;
const MINUTE_MS = 60_000;
const MAX_CACHED = 10_000;

interface Use {
  /** Minutes since 1970. */
  minute: number;
  address: string;
}

/** SQL: moves the end of tokens that expire when they are not used. A day of delay saves a write at most uses. */
const MOVE_ENDS = `WITH used AS (
  SELECT a.id, to_timestamp(used.minute * 60) + make_interval(days => a.idle_days) AS ends_at
  FROM unnest($1::text[], $2::bigint[]) AS used (id, minute) JOIN access_tokens a ON a.id = used.id
  WHERE a.idle_days IS NOT NULL AND a.ended_at IS NULL ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED)
UPDATE access_tokens a SET expires_at = used.ends_at FROM used
WHERE a.id = used.id AND a.expires_at < used.ends_at - interval '1 day'`;

const SAVE_USES = `INSERT INTO access_token_uses (token_id, used_at, address)
SELECT used.id, to_timestamp(used.minute * 60), used.address
FROM unnest($1::text[], $2::bigint[], $3::text[]) AS used (id, minute, address)
  JOIN access_tokens a ON a.id = used.id
WHERE a.ended_at IS NULL
ORDER BY used.id FOR SHARE OF a SKIP LOCKED
ON CONFLICT (token_id) DO UPDATE SET used_at = excluded.used_at, address = excluded.address
  WHERE access_token_uses.used_at <= excluded.used_at`;

/**
 * Records the time, to the minute, and the address of the last use of tokens, and moves the end of those that expire
 * when they are not used. Uses of many tokens are written together
 * and outside of the requests, which do not wait for it; uses not yet written are lost when the process is killed.
 */
@Injectable()
export class TokenUses implements OnModuleDestroy {
  private readonly log = new Logger(TokenUses.name);
  private pending = new Map<string, Use>();
  private readonly written = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  record(tokenId: string, address: string): void {
    const use = { minute: Math.floor(Date.now() / MINUTE_MS), address };
    if (isSame(this.written.get(tokenId), use)) return;
    this.pending.set(tokenId, use);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.pending];
    this.pending = new Map();
    if (uses.length === 0) return;
    try {
      await this.write(uses);
      if (this.written.size > MAX_CACHED) this.written.clear();
      for (const [tokenId, use] of uses) this.written.set(tokenId, use);
    } catch (error) {
      this.log.warn(`Could not save the last use of ${uses.length} access tokens.`, error);
    }
  }

  /**
   * Writes the uses, unless another replica has already written a later one. Tokens that another transaction is ending
   * are skipped: the new row would block their erasure or remain after it. The share lock keeps the other tokens from
   * ending until the commit.
   */
  private async write(uses: [string, Use][]): Promise<void> {
    const values = [uses.map(([id]) => id), uses.map(([, { minute }]) => minute)];
    await this.database.inNewTransaction(async () => {
      // Comes first: two replicas that held share locks of the same token would wait for each other here.
      await this.database.query(MOVE_ENDS, values);
      await this.database.query(SAVE_USES, [...values, uses.map(([, { address }]) => address)]);
    });
  }
}

const isSame = (a: Use | undefined, b: Use): boolean =>
  a !== undefined && a.minute === b.minute && a.address === b.address;
