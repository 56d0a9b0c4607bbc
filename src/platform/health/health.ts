import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { schemaState } from '../database/migrations.js';
import { Readiness } from './readiness.js';

const PATIENCE_MS = 2_000;

/** What keeps the service from being ready, if anything, with figures for whoever runs it. */
export interface Health {
  problems: string[];
  database_ms: number;
  pending_migrations: string[];
  unknown_migrations: string[];
  pool: { total: number; idle: number; waiting: number };
  uptime_seconds: number;
}

/** Finds out whether the service can do its work. */
@Injectable()
export class HealthCheck {
  constructor(
    private readonly database: Database,
    private readonly readiness: Readiness,
  ) {}

  async look(): Promise<Health> {
    const begun = performance.now();
    const schema = await this.schema();
    const problems = [
      this.readiness.isShuttingDown && 'shutting down',
      schema === undefined && 'the database does not answer',
      schema !== undefined && schema.pending.length > 0 && 'migrations are pending',
      schema !== undefined && schema.unknown.length > 0 && 'the database was migrated by a newer build',
    ];
    return {
      problems: problems.filter((problem) => problem !== false),
      database_ms: Math.round((performance.now() - begun) * 10) / 10,
      pending_migrations: schema?.pending ?? [],
      unknown_migrations: schema?.unknown ?? [],
      pool: this.database.connections,
      uptime_seconds: Math.floor(process.uptime()),
    };
  }

  /** Undefined where the database does not answer, or not soon enough. */
  private async schema() {
    const late = new AbortController();
    const query = <T>(sql: string) => this.database.query(sql) as Promise<T>;
    const answer = schemaState({ migrations: this.database.source.migrations, query });
    const patience = sleep(PATIENCE_MS, undefined, { signal: late.signal });
    try {
      return await Promise.race([answer, patience]);
    } catch {
      return undefined;
    } finally {
      late.abort();
      await Promise.allSettled([patience]);
      // Whoever comes too late is not listened to any more.
      answer.catch(() => undefined);
    }
  }
}
