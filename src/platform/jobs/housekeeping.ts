import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Jobs } from './jobs.js';

const HOUR_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Removes expired data once an hour. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  private readonly rules: { table: string; condition: string }[] = [];

  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.discard('idempotency_keys', "created_at < now() - interval '24 hours'");
    this.discard('outbox', "status IN ('sent', 'lapsed') AND created_at < now() - interval '7 days'");
    this.discard('outbox', "status = 'failed' AND created_at < now() - interval '90 days'");
    this.jobs.every('housekeeping', HOUR_MS, () => this.clear());
  }

  /** Registers rows of a table for removal when the condition (SQL) holds; called when modules start. */
  discard(table: string, condition: string): void {
    this.rules.push({ table, condition });
  }

  private async clear(): Promise<void> {
    for (const rule of this.rules) await this.clearTable(rule);
  }

  /** Deletes in batches, because one long statement would hold its locks and exceed its time limit. */
  private async clearTable({ table, condition }: { table: string; condition: string }): Promise<void> {
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      const rows = await this.database.query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      );
      deleted = rows.length;
    }
  }
}
