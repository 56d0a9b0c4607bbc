import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { DATABASE_PROBLEM_MESSAGES } from '../database/connections/driver-errors.js';
import type { StandbyOutcome } from '../database/connections/standby-position.js';
import { sinceStatementLost } from '../database/connections/prepared-client.js';
import { isTooOld, schemaState, type SchemaState } from '../database/schema/migrations.js';
import { ReplicasRepository, type RunningReplica } from '../replicas/replicas.repository.js';
import { Readiness } from './readiness.js';
import { WriteProbe } from './write-probe.js';

/** How long the service is not ready after a connection lost a prepared statement. */
const STATEMENT_LOST_MS = 30_000;

/** The details of the health of the service, for administrators; it is ready if there are no problems. */
export interface Health {
  problems: string[];
  database_ms: number;
  pending_migrations: string[];
  waiting_contracts: string[];
  unknown_migrations: string[];
  pool: { total: number; idle: number; waiting: number };
  /** What became of the last read that a standby may answer; null before the first one, or without a standby. */
  standby: StandbyOutcome | null;
  uptime_seconds: number;
}

/** What a caller wants to know whether the service can do it; whatever can write can also read. */
export const PURPOSES = ['read', 'write'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Determines whether the service can work. */
@Injectable()
export class HealthCheck {
  constructor(
    private readonly database: Database,
    private readonly readiness: Readiness,
    private readonly replicas: ReplicasRepository,
    private readonly settings: Settings,
    private readonly writeProbe: WriteProbe,
  ) {}

  async check(purpose: Purpose = 'write'): Promise<Health> {
    const startedAt = performance.now();
    const [schema, problem] = await Promise.all([
      this.inTime(this.schema()),
      purpose === 'read' ? null : this.inTime(this.writeProbe.currentProblem()),
    ]);
    const problems = [
      this.readiness.isClosed && 'shutting down',
      schema === undefined && 'the database does not respond',
      schema !== undefined && schema.pending.length > 0 && 'migrations are pending',
      schema !== undefined && this.isTooOld(schema) && 'the database needs a newer release',
      schema !== undefined && problem === undefined && 'the database does not complete writes in time',
      sinceStatementLost() < STATEMENT_LOST_MS && `unfit_pooler: ${DATABASE_PROBLEM_MESSAGES.unfit_pooler}`,
      typeof problem === 'string' && `${problem}: ${DATABASE_PROBLEM_MESSAGES[problem]}`,
    ];
    return {
      problems: problems.filter((text) => text !== false),
      database_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      pending_migrations: schema?.pending ?? [],
      waiting_contracts: schema?.waiting ?? [],
      unknown_migrations: schema?.unknown ?? [],
      pool: this.database.connections,
      standby: this.database.standby?.state ?? null,
      uptime_seconds: Math.floor(process.uptime()),
    };
  }

  /** None if the database does not answer in time. */
  async runningReplicas(): Promise<RunningReplica[]> {
    return (await this.inTime(this.replicas.running())) ?? [];
  }

  private isTooOld(schema: SchemaState): boolean {
    return isTooOld(schema, this.database.source.migrations);
  }

  private schema(): Promise<SchemaState> {
    const query = <T>(sql: string) => this.database.query(sql) as Promise<T>;
    return schemaState({ migrations: this.database.source.migrations, query });
  }

  /** Undefined if the database does not answer in time. */
  private async inTime<T>(answer: Promise<T>): Promise<T | undefined> {
    const cancel = new AbortController();
    const timeout = sleep(this.settings.HEALTH_TIMEOUT_MS, undefined, { signal: cancel.signal });
    try {
      return await Promise.race([answer, timeout]);
    } catch {
      return undefined;
    } finally {
      cancel.abort();
      await Promise.allSettled([timeout]);
      // A late response is ignored.
      answer.catch(() => undefined);
    }
  }
}
