import type { PostgresConnection } from './database.js';
import { connectionTo, startEmbeddedPostgres } from './embedded-postgres.js';
import { findHome } from './home.js';
import { readPidFile } from './pid-file.js';
import { servesDirectory } from './processes.js';

type Log = (message: string) => void;

/** The circumstances of a server that is used for the duration of a call. */
interface ServerUse {
  /** The actual data directory, which may differ from the requested one. */
  dataDir: string;
  /** Whether a service uses the server at the same time. */
  wasRunning: boolean;
}

/** Runs PostgreSQL on a data folder for the duration of the call. */
export async function withStarted<T>(
  dataDir: string,
  log: Log,
  work: (connection: PostgresConnection, use: ServerUse) => Promise<T>,
): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    return await work(postgres.connection, { dataDir: postgres.dataDir, wasRunning: false });
  } finally {
    await postgres.stop();
  }
}

/** Uses the running server of the service's data, or else starts one for the duration of the call. */
export async function withRunningOrStarted<T>(
  dataDir: string,
  log: Log,
  work: (connection: PostgresConnection, use: ServerUse) => Promise<T>,
): Promise<T> {
  const home = findHome(dataDir, log);
  const server = readPidFile(home.cluster);
  if (server?.ready !== true || !servesDirectory(server.pid, home.cluster)) return withStarted(dataDir, log, work);
  return work(connectionTo(server.endpoint, home), { dataDir: home.directory, wasRunning: true });
}
