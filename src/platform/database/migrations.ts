import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { Connection } from './connection.js';
import { makeDataSource, ONE_CONNECTION, type DatabaseSchema } from './data-source.js';
import type { PreparedClient } from './prepared-client.js';
import { SESSION_SETTINGS } from './session-settings.js';
import { StartError } from '../../common/start-error.js';

/** An arbitrary number that all builds share. */
const MIGRATION_LOCK = 7_401_763;

type Log = (message: string) => void;
const quiet: Log = () => undefined;

/** A migration failed and was rolled back; `cause` is the error of the database. */
export class MigrationError extends Error {
  constructor(
    readonly migration: string,
    options: { cause: unknown },
  ) {
    super(`The migration ${migration} failed.`, options);
  }
}

const nameOf = ({ name, constructor }: MigrationInterface): string => name ?? constructor.name;

/** The differences between the schema of a database and that of this build. */
export interface SchemaState {
  /** Migrations of this build that have not been applied to the database. */
  pending: string[];
  /** Applied migrations that this build does not contain, because a newer build applied them. */
  unknown: string[];
}

/** Compares the executed migrations with those of the build. A database without the migration table has none. */
export async function schemaState(source: Pick<DataSource, 'migrations' | 'query'>): Promise<SchemaState> {
  const known = source.migrations.map(nameOf);
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

/**
 * Runs pending migrations, one process at a time, and returns their names. Each is a transaction, so that an interrupted
 * run continues where it ended.
 */
export async function migrate(connection: Connection, schema: DatabaseSchema, log: Log = quiet): Promise<string[]> {
  const pool = { ...ONE_CONNECTION, sessionSettings: SESSION_SETTINGS };
  const source = await makeDataSource(connection, schema, pool).initialize();
  // The caller reports failures, as one sentence.
  source.logger.logMigration = () => undefined;
  const runner = source.createQueryRunner();
  try {
    // The timeouts of the role are meant for requests; building an index on a large table takes longer.
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      await runner.query(`SET ${limit} = 0`);
    }
    ((await runner.connect()) as PreparedClient).setSocketTimeout(0);
    await lock(runner, log);
    const { pending, unknown } = await schemaState({
      migrations: source.migrations,
      query: (sql: string) => runner.query(sql),
    });
    assertNotNewer({ pending, unknown });
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    await watched(source.migrations, pending.length, log, () => executor.executePendingMigrations());
    return pending;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

/** The connection keeps the lock until it is closed, so a process that is killed does not keep it. */
async function lock(runner: QueryRunner, log: Log): Promise<void> {
  const [{ locked }] = (await runner.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`)) as [
    { locked: boolean },
  ];
  if (locked) return;
  log('Another process is migrating this database; waiting until it has ended.');
  await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
}

/** Logs each migration when it has been applied, and names the one that failed. */
async function watched(
  migrations: MigrationInterface[],
  count: number,
  log: Log,
  work: () => Promise<unknown>,
): Promise<void> {
  let running = '';
  let startedAt = 0;
  let started = 0;
  const report = (): void => {
    if (started > 0) log(`${started} of ${count}: ${running} applied, ${Math.round(performance.now() - startedAt)} ms`);
  };
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      report();
      [running, startedAt, started] = [nameOf(migration), performance.now(), started + 1];
      await up(runner);
    };
  }
  try {
    await work();
  } catch (error) {
    throw started === 0 ? error : new MigrationError(running, { cause: error });
  }
  report();
}
