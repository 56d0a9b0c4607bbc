import { readFileSync } from 'node:fs';
import { findBinaries } from './binaries.js';
import { ensureCluster, NAME } from './cluster.js';
import { prepareDatabase, type PostgresConnection } from './database.js';
import { DirectoryLock } from './directory-lock.js';
import type { Endpoint } from './endpoint.js';
import { openHome, type Home } from './home.js';
import { Supervisor } from './supervisor.js';

/** The data directory of the server, and listeners for its messages. */
export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: (message: string) => void;
  /** Called when the server has exited unexpectedly, before it is restarted. */
  onUnexpectedExit?: () => void;
  /** Called instead of `log` for problems while the server is running. */
  problem?: (message: string) => void;
  /** Trades all durability for speed. */
  unsafeForTests?: boolean;
}

/** A PostgreSQL server that is managed by this process and restarted when it exits, until `stop`. */
export interface EmbeddedPostgres {
  connection: PostgresConnection;
  /** The actual data directory, which may differ from the requested one. */
  dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts the packaged PostgreSQL on this directory, or adopts the one that an earlier, killed process left running.
 * Throws if another running process uses the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = openHome(options.dataDir, options.log);
  const lock = await DirectoryLock.take(home.directory);
  try {
    return await startLocked(home, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  home: Home,
  lock: DirectoryLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, unsafeForTests: unsafe = false } = options;
  const startedAt = Date.now();
  const binaries = findBinaries(home, log);
  await ensureCluster(home, binaries, unsafe, log);

  const supervisor = new Supervisor({ home, binaries, unsafe }, options);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    lock.release();
  };
  try {
    const { endpoint, adopted } = await supervisor.start();
    const connection = connectionTo(endpoint, home);
    await prepareDatabase(connection, unsafe);
    const outcome = adopted ? 'was already running and is used again' : 'is ready';
    log(
      `PostgreSQL ${binaries.major} ${outcome} after ${Date.now() - startedAt} ms; its data is in ${home.directory}.`,
    );
    let stopped: Promise<void> | undefined;
    return { connection, dataDir: home.directory, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** The connection to the server of this directory. */
export function connectionTo({ host, port, socket }: Endpoint, home: Home): PostgresConnection {
  const password = socket ? undefined : readFileSync(home.password, 'utf8');
  return { host, port, user: NAME, password, database: NAME };
}
