import type { Logger } from 'pino';
import { makeApp } from './configure-app.js';
import { FirstAdministrator } from './modules/auth/first-administrator.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import { Database } from './platform/database/database.js';
import { SESSION_SETTINGS } from './platform/database/connections/session-settings.js';
import { Metrics } from './platform/metrics/metrics.js';
import { openMetricsPort, type MetricsSource } from './platform/metrics/metrics-server.js';
import { listen, stopServing } from './platform/process/serving.js';
import type { Shutdown } from './platform/process/shutdown.js';
import type { StartedService } from './platform/process/worker-messages.js';
import { Release } from './platform/release/release.js';
import { Replica } from './platform/replicas/replica.js';

/** What a process needs to serve requests. */
interface ServeOptions {
  settings: Settings;
  connection: Connection;
  log: Logger;
  shutdown: Shutdown;
  /** Called when the release no longer fits the database. */
  onRefused: () => void;
  /** The metrics of all processes if there are others, which then serve METRICS_PORT. */
  metricsOfAll?: MetricsSource;
  /** Whether another process listens on the same port in place of this one, asked when this one stops. */
  hasSuccessor?: () => boolean;
}

/** Builds the service in this process, and listens; returns what is known then, and the metrics of this process. */
export async function serve(options: ServeOptions): Promise<{ started: StartedService; metrics: Metrics }> {
  const { settings, connection, log, shutdown, onRefused, metricsOfAll, hasSuccessor } = options;
  const secrets = Secrets.load(settings, settings.DATA_DIR);
  const parts = { settings, secrets, connection, sessionSettings: SESSION_SETTINGS };
  const app = await makeApp(parts, log, metricsOfAll);
  shutdown.opened(() => stopServing(app, settings.DRAIN_MS, hasSuccessor?.()));
  app.get(Replica).onRefused(onRefused);
  const { version, commit, schema } = app.get(Release);
  const database = await app.get(Database).one<{ server_version: string }>('SHOW server_version');
  // Runs before requests are accepted, because the first one may come from the administrator.
  const administrator = await app.get(FirstAdministrator, { strict: false }).ensure();
  const about = { version, commit, schema, database: `PostgreSQL ${database?.server_version}` };
  shutdown.onEnd(() => log.info({ ...about, uptime_seconds: Math.floor(process.uptime()) }, 'stopped'));
  const metrics = app.get(Metrics);
  if (metricsOfAll === undefined) shutdown.opened(await openMetricsPort(metrics, settings));
  await listen(app, settings).catch((error: unknown) => {
    // A generated password is stored nowhere else, so it is logged even if the port is in use.
    if (administrator?.password !== undefined) {
      log.warn(`Administrator ${administrator.email}, password ${administrator.password}`);
    }
    throw error;
  });
  return { started: { ...about, administrator }, metrics };
}
