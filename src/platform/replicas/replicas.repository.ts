import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { databaseProblemOf } from '../database/connections/driver-errors.js';
import { GONE_SECONDS } from '../database/schema/migrations.js';
import type { Release } from '../release/release.js';

/** A running replica, as administrators see it. */
export interface RunningReplica {
  version: string;
  commit: string | null;
  schema: number;
  started_at: string;
  seen_at: string;
}

type Times = Record<'started_at' | 'seen_at', Date>;

const UNWRITABLE: unknown[] = ['read_only', 'disk_full'];

/**
 * Reads and writes the heartbeats of replicas. It uses the data source directly, because statements of the
 * {@link Database} wait for the heartbeat.
 */
@Injectable()
export class ReplicasRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the heartbeat, then reads the least schema. In this order, because a contract locks the heartbeats, looks for
   * older replicas and raises the least schema: either it sees this replica, or this replica sees what it raised. A
   * database that cannot be written cannot be contracted either, so that replicas keep reading.
   */
  async beat(id: string, release: Release): Promise<number> {
    await this.record(id, release).catch((error: unknown) => {
      if (!UNWRITABLE.includes(databaseProblemOf(error))) throw error;
    });
    return this.leastSchema();
  }

  /** The replicas with a heartbeat in the last minute, the oldest first. */
  async running(): Promise<RunningReplica[]> {
    const rows = await this.database.query<Record<'version' | 'schema', string> & { commit: string | null } & Times>(
      `SELECT version, commit, schema, started_at, seen_at FROM replicas
       WHERE seen_at > clock_timestamp() - interval '${GONE_SECONDS} seconds' ORDER BY started_at, id`,
    );
    return rows.map(({ schema, started_at, seen_at, ...release }) => ({
      ...release,
      schema: Number(schema),
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
    }));
  }

  async remove(id: string): Promise<void> {
    await this.database.source.query('DELETE FROM replicas WHERE id = $1', [id]);
  }

  private async record(id: string, { version, commit, schema }: Release): Promise<void> {
    await this.database.source.query(
      `INSERT INTO replicas (id, version, commit, schema) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
      [id, version, commit, schema],
    );
  }

  private async leastSchema(): Promise<number> {
    const [row] = await this.database.source.query<{ least: string }[]>(
      'SELECT least_schema::text AS least FROM schema_requirements',
    );
    return Number(row.least);
  }
}
