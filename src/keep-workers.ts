import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import { METRICS_TYPE } from './platform/metrics/metrics.js';
import { openMetricsPort } from './platform/metrics/metrics-server.js';
import type { Shutdown } from './platform/process/shutdown.js';
import { poolShare, workerCount } from './platform/process/worker-count.js';
import type { StartedService } from './platform/process/worker-messages.js';
import { WorkerPool } from './platform/process/worker-pool.js';

interface KeeperOptions {
  settings: Settings;
  connection: Connection;
  log: Logger;
  shutdown: Shutdown;
  /** The environment without `.env`. */
  original: NodeJS.ProcessEnv;
}

/** Beside this file, as a source or as what was built from it. */
const PROGRAM = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));

/** Starts the processes that serve requests, and keeps them running; returns what is known once they listen. */
export async function keepWorkers(options: KeeperOptions): Promise<{ pool: WorkerPool; started: StartedService }> {
  const { settings, connection, log, shutdown, original } = options;
  // Creates the keys of an embedded database before several processes look for them.
  Secrets.load(settings, settings.DATA_DIR);
  const start = { connection, dataDir: settings.DATA_DIR, poolSize: poolShare(settings), original };
  const pool = new WorkerPool({ count: workerCount(settings), program: PROGRAM, start, log });
  shutdown.opened(() => pool.stop());
  pool.onRefused(() => void shutdown.end(1));
  const started = await pool.start();
  const metrics = { contentType: METRICS_TYPE, text: () => pool.metrics() };
  shutdown.opened(await openMetricsPort(metrics, settings));
  // Windows does not know the signal.
  if (process.platform !== 'win32') process.on('SIGUSR2', () => void pool.roll());
  return { pool, started };
}
