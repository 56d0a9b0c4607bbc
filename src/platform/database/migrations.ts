import { MigrationExecutor, type DataSource } from 'typeorm';
import type { Connection } from './connection.js';
import { makeDataSource, type DatabaseSchema } from './data-source.js';
import type { PreparedClient } from './prepared-client.js';
import { StartError } from '../../common/start-error.js';

/** An arbitrary number that all builds share. */
const MIGRATION_LOCK = 7_401_763;

/** The differences between the schema of a database and that of this build. */
export interface SchemaState {
  /** Migrations of this build that have not been applied to the database. */
  pending: string[];
  /** Applied migrations that this build does not contain, because a newer build applied them. */
  unknown: string[];
}

/** Compares the executed migrations with those of the build. A database without the migration table has none. */
export async function schemaState(source: Pick<DataSource, 'migrations' | 'query'>): Promise<SchemaState> {
  const known = source.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const [{ exists }] = await source.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  const rows = exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  const applied = rows.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Rejects a database that a newer build has migrated, because this build does not know its rules. */
export function assertNotNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return;
  throw new StartError(`The database was migrated by a newer release (${unknown.join(', ')}). Start that release.`);
}

/** Runs pending migrations, one process at a time, and returns their names. */
export async function migrate(connection: Connection, schema: DatabaseSchema): Promise<string[]> {
  const source = await makeDataSource(connection, schema).initialize();
  const runner = source.createQueryRunner();
  try {
    // The timeouts of the role are meant for requests; building an index on a large table takes longer.
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      await runner.query(`SET ${limit} = 0`);
    }
    ((await runner.connect()) as PreparedClient).setSocketTimeout(0);
    await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    assertNotNewer(await schemaState({ migrations: source.migrations, query: (sql: string) => runner.query(sql) }));
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    const applied = await executor.executePendingMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await runner.release();
    await source.destroy();
  }
}
