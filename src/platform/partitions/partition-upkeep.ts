import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DirectConnection } from '../database/connections/direct-connection.js';
import { Jobs } from '../jobs/jobs.js';
import { Metrics } from '../metrics/metrics.js';
import { removeOldPartitions, untilFree } from './partition-removal.js';
import { OLD_PARTITIONS, type OldPartition, type PartitionedTable } from './partitioned-table.js';

const HOUR_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Makes the partitions of the coming months before they are needed, and removes those that no longer are. */
@Injectable()
export class PartitionUpkeep implements OnModuleInit, OnApplicationBootstrap {
  private readonly log = new Logger('Partitions');
  private readonly tables: PartitionedTable[] = [];

  constructor(
    private readonly database: Database,
    private readonly direct: DirectConnection,
    private readonly jobs: Jobs,
    metrics: Metrics,
  ) {
    metrics.byLabel('partitions_ahead_seconds', 'How far ahead partitions exist, by table.', 'table', () =>
      this.secondsAhead(),
    );
  }

  onModuleInit(): void {
    this.jobs.every('partitions', HOUR_MS, async () => {
      await this.add();
      await this.remove();
    });
  }

  /** A database that no process has used for months has no partition for today, so requests wait until it is there. */
  async onApplicationBootstrap(): Promise<void> {
    await this.add().catch((error: unknown) =>
      this.log.error(`The partitions of the coming months could not be added; a job tries it again: ${String(error)}`),
    );
  }

  /** Registers a table; called when modules start. */
  register(table: PartitionedTable): void {
    this.tables.push(table);
  }

  private async add(): Promise<void> {
    for (const { table } of this.tables) {
      await untilFree(() => this.database.query('SELECT add_month_partitions($1)', [table]));
    }
  }

  /**
   * Only the owner of the tables can detach partitions. If that is another role, the rows are deleted here, and the empty
   * partitions go when the owner migrates.
   */
  private async remove(): Promise<void> {
    await removeOldPartitions(this.direct.connection, this.tables);
    for (const table of this.tables) await this.clear(table);
  }

  /** Deletes what may go from old partitions that cannot go, in batches. */
  private async clear({ table, days, ended }: PartitionedTable): Promise<void> {
    if (ended === undefined) return;
    const old = await this.database.query<OldPartition>(OLD_PARTITIONS, [table, days]);
    const last = old.at(-1);
    if (last === undefined) return;
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      const rows = await this.database.query(
        `DELETE FROM ${table} WHERE id = ANY(ARRAY(
           SELECT id FROM ${table} WHERE id < first_id_of($1, $2::timestamptz) AND (${ended.condition})
           LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [ended.prefix, last.endsAt],
      );
      deleted = rows.length;
    }
  }

  private async secondsAhead(): Promise<Record<string, number>> {
    const rows = await this.database.query<{ parent: string; ahead: number }>(
      `SELECT parent, extract(epoch FROM max(ends_at) - now())::float8 AS ahead FROM month_partitions GROUP BY parent`,
    );
    return Object.fromEntries(rows.map(({ parent, ahead }) => [parent, ahead]));
  }
}
