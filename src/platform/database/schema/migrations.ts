import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { Connection } from '../connections/connection.js';
import { makeDataSource, ONE_CONNECTION, type DatabaseSchema } from '../connections/data-source.js';
import { phaseOf, schemaNumber } from './migration-phase.js';
import type { PreparedClient } from '../connections/prepared-client.js';
import { SESSION_SETTINGS } from '../connections/session-settings.js';
import { StartError } from '../../../common/start-error.js';

/** An arbitrary number that all builds share. */
const MIGRATION_LOCK = 7_401_763;
const LOCK_POLL_MS = 100;

/** The time after which a replica without a heartbeat counts as gone. */
export const GONE_SECONDS = 60;

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
  /** Whether no migration has been applied to the database. */
  isNew: boolean;
  /** Migrations that this build needs and that have not been applied to the database. */
  pending: string[];
  /** Contracts of this build that have not been applied; the build also runs without them. */
  waiting: string[];
  /** Applied migrations that a newer build contains; those before the oldest of this build are part of its baseline. */
  unknown: string[];
  /** The schema that a release must contain to run on the database (see {@link schemaNumber}). */
  leastSchema: number;
}

/** Compares the executed migrations with those of the build. A database without the migration table has none. */
export async function schemaState(source: Pick<DataSource, 'migrations' | 'query'>): Promise<SchemaState> {
  const [{ hasMigrations, hasLeast }] = await source.query<{ hasMigrations: boolean; hasLeast: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS "hasMigrations",
       to_regclass('schema_requirements') IS NOT NULL AS "hasLeast"`,
  );
  const rows = hasMigrations ? await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  const least = hasLeast
    ? await source.query<{ least: string }[]>('SELECT least_schema::text AS least FROM schema_requirements')
    : [];
  const applied = new Set(rows.map(({ name }) => name));
  const missing = source.migrations.filter((migration) => !applied.has(nameOf(migration)));
  const known = new Set(source.migrations.map(nameOf));
  const oldest = Math.min(...source.migrations.map((migration) => schemaNumber(nameOf(migration))));
  return {
    isNew: applied.size === 0,
    pending: missing.filter(({ constructor }) => phaseOf(constructor) === 'expand').map(nameOf),
    waiting: missing.filter(({ constructor }) => phaseOf(constructor) === 'contract').map(nameOf),
    unknown: [...applied].filter((name) => !known.has(name) && schemaNumber(name) > oldest),
    leastSchema: Number(least[0]?.least ?? 0),
  };
}

/** Whether a contract has removed what this build uses. A newer schema alone does not matter: it only adds. */
export const isTooOld = ({ leastSchema }: SchemaState, migrations: readonly MigrationInterface[]): boolean =>
  leastSchema > Math.max(0, ...migrations.map((migration) => schemaNumber(nameOf(migration))));

/** Rejects a database on which a contract has removed what this build uses. */
export function assertNotTooOld(state: SchemaState, migrations: readonly MigrationInterface[]): void {
  if (!isTooOld(state, migrations)) return;
  throw new StartError(
    `This release is too old for the database: a newer one has removed what it uses (${state.unknown.join(', ')}). ` +
      'Start the newer release.',
  );
}

/**
 * What to do with contracts: apply them, because only one process uses the database; leave them for later; or apply them
 * if no replica of an older release is running.
 */
type Contracts = 'apply' | 'leave' | 'applyIfUnused';

/**
 * Runs pending migrations, one process at a time, and returns their names. Each is a transaction, or a concurrent index, so
 * that an interrupted run continues where it ended.
 */
export async function migrate(
  connection: Connection,
  schema: DatabaseSchema,
  log: Log = quiet,
  contracts: Contracts = 'apply',
): Promise<string[]> {
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
    const query = (sql: string) => runner.query(sql);
    const state = await schemaState({ migrations: source.migrations, query });
    assertNotTooOld(state, source.migrations);
    const { pending, waiting, isNew } = state;
    // A refused contract leaves the database as it is after the other migrations.
    await execute(source, runner, pending, log);
    if (waiting.length === 0) return pending;
    // No release uses a new database yet.
    if (contracts === 'leave' && !isNew) {
      log(waitingMessage(waiting));
      return pending;
    }
    const least = Math.max(...waiting.map(schemaNumber));
    await raiseLeastSchema(runner, least, { unlessUsed: contracts === 'applyIfUnused' });
    await execute(source, runner, waiting, log);
    return [...pending, ...waiting];
  } finally {
    await runner.release();
    await source.destroy();
  }
}

const waitingMessage = (waiting: string[]): string =>
  `${waiting.length} contract(s) wait until no replica of an older release is running: ${waiting.join(', ')}. When all ` +
  'replicas have been updated, apply them with: npm run migrate -- --contract';

/** Executes exactly these migrations. */
async function execute(source: DataSource, runner: QueryRunner, names: string[], log: Log): Promise<void> {
  const due = source.migrations.filter((migration) => names.includes(nameOf(migration)));
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'each';
  const all = source.migrations;
  Object.assign(source, { migrations: due });
  try {
    await watched(due, due.length, log, () => executor.executePendingMigrations());
  } finally {
    Object.assign(source, { migrations: all });
  }
}

/**
 * Makes releases with an older schema stop and refuse to start; fails while one is running. Heartbeats wait for the lock,
 * so a replica that starts meanwhile sees the new schema before it works.
 */
async function raiseLeastSchema(
  runner: QueryRunner,
  least: number,
  { unlessUsed }: { unlessUsed: boolean },
): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query('LOCK TABLE replicas IN SHARE MODE');
    if (unlessUsed) assertUnused((await runner.query(OLDER_REPLICAS, [least])) as OlderReplica[]);
    await runner.query('UPDATE schema_requirements SET least_schema = greatest(least_schema, $1)', [least]);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

interface OlderReplica {
  version: string;
  commit: string | null;
  schema: string;
}

/** The replicas of releases below that schema with a heartbeat in the last minute (`Replica`). */
const OLDER_REPLICAS = `SELECT version, commit, schema::text AS schema FROM replicas
  WHERE schema < $1 AND seen_at > clock_timestamp() - interval '${GONE_SECONDS} seconds' ORDER BY started_at`;

function assertUnused(older: OlderReplica[]): void {
  if (older.length === 0) return;
  const list = older.map(
    ({ version, commit, schema }) => `${version} (${commit ?? 'unknown commit'}, schema ${schema})`,
  );
  throw new StartError(
    `${older.length} replica(s) of an older release are running or ran until a minute ago: ${list.join('; ')}. ` +
      'Update them, wait a minute, and run npm run migrate -- --contract again. Nothing was contracted.',
  );
}

/**
 * The connection keeps the lock until it is closed, so a process that is killed does not keep it. Waits by asking again: a
 * statement that waits has a snapshot, which a concurrent index of the process that migrates would wait for.
 */
async function lock(runner: QueryRunner, log: Log): Promise<void> {
  const tryLock = async (): Promise<boolean> => {
    const [{ locked }] = (await runner.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`)) as [
      { locked: boolean },
    ];
    return locked;
  };
  if (await tryLock()) return;
  log('Another process is migrating this database; waiting until it has ended.');
  while (!(await tryLock())) await sleep(LOCK_POLL_MS);
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
    throw started === 0 || error instanceof StartError ? error : new MigrationError(running, { cause: error });
  }
  report();
}
