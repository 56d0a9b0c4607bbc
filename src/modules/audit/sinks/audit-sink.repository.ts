import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { QueueState } from '../../../platform/metrics/metrics.js';
import type { SealedEntry } from './audit-sink.js';

/** How far a receiver is, and whether it is time to send again after an attempt that failed. */
export interface SinkState {
  position: number;
  failures: number;
  lastError: string | null;
  isDue: boolean;
}

const isoText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column.split('.')[1]}`;

/** SQL for an entry `e` with its seal `s` and its origin `o` as JSON. */
const LINE = `(SELECT row_to_json(line)::text FROM (SELECT s.position, s.hash, ${isoText('s.sealed_at')}, e.id,
  ${isoText('e.occurred_at')}, e.action, e.actor_id, e.user_id, e.entity_type, e.entity_id, e.endeavour_id,
  e.organization_id, e.former_organization_id, e.session_id, e.token_id, e.request_id, e.operation, e.code, e.reason,
  e.count, e.details, o.address, o.user_agent, o.email) line)`;

/** Reads the sealed entries for receivers outside, and keeps how far each has taken them. */
@Injectable()
export class AuditSinkRepository {
  constructor(private readonly database: Database) {}

  /** How far the receiver is; a new one begins with the oldest entry that is kept. */
  async state(target: string): Promise<SinkState> {
    const known = await this.find(target);
    if (known !== undefined) return known;
    await this.database.query(
      `INSERT INTO audit_sinks (target, position)
       VALUES ($1, coalesce((SELECT max(position) FROM audit_checkpoints), 0)) ON CONFLICT (target) DO NOTHING`,
      [target],
    );
    return this.state(target);
  }

  /** The entries after that position, in the order of their seals, which has no gaps and in which none appears late. */
  async after(position: number, limit: number): Promise<SealedEntry[]> {
    const rows = await this.database.query<Omit<SealedEntry, 'position'> & { position: string }>(
      `SELECT s.position, e.occurred_at AS "occurredAt", e.action, ${LINE} AS line
       FROM (SELECT position, entry_id, hash, sealed_at FROM audit_seals WHERE position > $1 ORDER BY position LIMIT $2) s
         JOIN audit_entries e ON e.id = s.entry_id LEFT JOIN audit_origins o ON o.entry_id = e.id
       ORDER BY s.position`,
      [position, limit],
    );
    return rows.map((row) => ({ ...row, position: Number(row.position) }));
  }

  /** Notes that the receiver has taken what follows; false if another process has noted more since. */
  async advance(target: string, from: number, to: number): Promise<boolean> {
    const moved = await this.database.one(
      `UPDATE audit_sinks SET position = $3, failures = 0, last_error = NULL, retry_at = NULL, updated_at = clock_timestamp()
       WHERE target = $1 AND position = $2 RETURNING position`,
      [target, from, to],
    );
    return moved !== undefined;
  }

  /** Notes why the receiver has taken nothing, and for how many seconds nothing is sent. */
  async postpone(target: string, problem: string, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE audit_sinks SET failures = failures + 1, last_error = $2, updated_at = clock_timestamp(),
         retry_at = clock_timestamp() + make_interval(secs => $3) WHERE target = $1`,
      [target, problem, seconds],
    );
  }

  /** The entries that the receiver has not taken yet. */
  async queue(target: string): Promise<QueueState> {
    const state = await this.database.one<QueueState>(
      `SELECT greatest(coalesce((SELECT max(position) FROM audit_seals), 0) - sink.position, 0)::float8 AS length,
         greatest(coalesce(extract(epoch FROM clock_timestamp() - next.sealed_at), 0), 0)::float8 AS "oldestSeconds"
       FROM (SELECT coalesce((SELECT position FROM audit_sinks WHERE target = $1),
           (SELECT max(position) FROM audit_checkpoints), 0) AS position) sink
         LEFT JOIN LATERAL (SELECT sealed_at FROM audit_seals WHERE position > sink.position ORDER BY position LIMIT 1) next
           ON true`,
      [target],
    );
    return state ?? { length: 0, oldestSeconds: 0 };
  }

  private async find(target: string): Promise<SinkState | undefined> {
    const row = await this.database.one<Omit<SinkState, 'position'> & { position: string }>(
      `SELECT position, failures, last_error AS "lastError", coalesce(retry_at <= clock_timestamp(), true) AS "isDue"
       FROM audit_sinks WHERE target = $1`,
      [target],
    );
    return row && { ...row, position: Number(row.position) };
  }
}
