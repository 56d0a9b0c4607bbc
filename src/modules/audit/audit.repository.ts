import { Injectable } from '@nestjs/common';
import { ENTRY_TEXT } from '../../platform/audit/audit-chain.js';
import { Database } from '../../platform/database/database.js';
import { Metrics, readQueue } from '../../platform/metrics/metrics.js';

/** The last seal of the chain. */
interface ChainEnd {
  position: number;
  hash: string;
}

/** An entry without a seal, as the text that its seal covers. */
interface UnsealedEntry {
  id: string;
  text: string;
}

/** Reads and writes the seals and checkpoints of the audit log. */
@Injectable()
export class AuditRepository {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.queue('audit', () =>
      readQueue(
        database,
        `(SELECT e.occurred_at AS due_at FROM audit_unsealed u JOIN audit_entries e ON e.id = u.entry_id) unsealed`,
      ),
    );
  }

  /** Returns the last seal, or the last checkpoint if no seal is left; undefined if no entry was ever sealed. */
  async end(): Promise<ChainEnd | undefined> {
    const row = await this.database.one<{ position: string; hash: string }>(
      `SELECT position, hash FROM (
         (SELECT position, hash FROM audit_seals ORDER BY position DESC LIMIT 1)
         UNION ALL (SELECT position, hash FROM audit_checkpoints ORDER BY position DESC LIMIT 1)) ends
       ORDER BY position DESC LIMIT 1`,
    );
    return row && { position: Number(row.position), hash: row.hash };
  }

  /** Returns committed entries without a seal, in the order of their ids, and locks them against other replicas. */
  unsealed(limit: number): Promise<UnsealedEntry[]> {
    return this.database.query<UnsealedEntry>(
      `SELECT e.id, ${ENTRY_TEXT} AS text FROM audit_unsealed u JOIN audit_entries e ON e.id = u.entry_id
       ORDER BY u.entry_id LIMIT $1 FOR UPDATE OF u`,
      [limit],
    );
  }

  /** Appends seals to the chain, the first at position `first`; fails if another replica has used that position. */
  async seal(first: number, seals: readonly { id: string; hash: string }[]): Promise<void> {
    const ids = seals.map(({ id }) => id);
    await this.database.query(
      `INSERT INTO audit_seals (position, entry_id, hash)
       SELECT $1::bigint + at - 1, id, hash FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS s (id, hash, at)`,
      [first, ids, seals.map(({ hash }) => hash)],
    );
    await this.database.query('DELETE FROM audit_unsealed WHERE entry_id = ANY($1)', [ids]);
  }

  /** Returns the end of the month of the oldest seal if it ended at least `days` days ago; otherwise undefined. */
  async oldMonth(days: number): Promise<Date | undefined> {
    const row = await this.database.one<{ edge: Date }>(
      `SELECT edge FROM (
         SELECT date_trunc('month', sealed_at, 'UTC') + interval '1 month' AS edge
         FROM audit_seals ORDER BY position LIMIT 1) oldest
       WHERE edge <= now() - make_interval(days => $1)`,
      [days],
    );
    return row?.edge;
  }

  /** Returns the last of the `limit` oldest seals that was made before that time, if any. */
  async lastBefore(edge: Date, limit: number): Promise<ChainEnd | undefined> {
    const row = await this.database.one<{ position: string; hash: string }>(
      `SELECT position, hash FROM (SELECT * FROM audit_seals ORDER BY position LIMIT $2) oldest
       WHERE sealed_at < $1 ORDER BY position DESC LIMIT 1`,
      [edge, limit],
    );
    return row && { position: Number(row.position), hash: row.hash };
  }

  /**
   * Deletes the oldest entries up to that seal, and writes the checkpoint. The database function fails for more than
   * 1,000 entries, and unless `edge` is the end of an expired month.
   */
  async drop(edge: Date, { position }: ChainEnd, signature: string): Promise<void> {
    await this.database.query('SELECT drop_audit_before($1, $2, $3)', [edge, position, signature]);
  }
}
