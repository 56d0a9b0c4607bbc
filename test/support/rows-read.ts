import { Database } from '../../src/platform/database/database.js';
import type { InProcessApp } from './in-process-app.js';

/** The number of rows of the table that the work reads when PostgreSQL plans as if all tables were large. */
export function rowsRead(app: InProcessApp, table: string, work: () => Promise<unknown>): Promise<number> {
  const database = app.nest.get(Database);
  return database.transaction(async () => {
    // PostgreSQL neither scans nor sorts a table that it knows to be large.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await database.query(`SET LOCAL enable_${way} = off`);
    }
    return rowsReadBy(database, table, work);
  });
}

/**
 * The number of rows of the table that the work reads with plans that PostgreSQL made before the table was filled, as it
 * keeps them until it analyzes the table again.
 */
export function rowsReadAfterFilling(
  app: InProcessApp,
  table: string,
  work: () => Promise<unknown>,
  fill: (database: Database) => Promise<unknown>,
): Promise<number> {
  const database = app.nest.get(Database);
  return database.transaction(async () => {
    await database.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await work();
    await fill(database);
    return rowsReadBy(database, table, work);
  });
}

async function rowsReadBy(database: Database, table: string, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const row = await database.one<{ rows: string }>(
      'SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = $1',
      [table],
    );
    return Number(row?.rows ?? 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}
