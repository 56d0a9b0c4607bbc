import { Database } from '../../src/platform/database/database.js';
import type { InProcessApp } from './in-process-app.js';

/** The number of rows of the table that the work reads when PostgreSQL plans as if all tables were large. */
export function rowsRead(app: InProcessApp, table: string, work: () => Promise<unknown>): Promise<number> {
  const database = app.nest.get(Database);
  const count = async (): Promise<number> => {
    const row = await database.one<{ rows: string }>(
      'SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = $1',
      [table],
    );
    return Number(row?.rows ?? 0);
  };
  return database.transaction(async () => {
    // PostgreSQL neither scans nor sorts a table that it knows to be large.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await database.query(`SET LOCAL enable_${way} = off`);
    }
    const before = await count();
    await work();
    return (await count()) - before;
  });
}
