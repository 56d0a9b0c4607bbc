import 'reflect-metadata';
import type { Logger } from 'pino';
import { makeApp } from './configure-app.js';
import { FirstAdministrator } from './modules/auth/first-administrator.js';
import { changedSettings, readSettings } from './platform/config/read-settings.js';
import { SettingsReload } from './platform/config/reload-settings.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connection.js';
import { Database } from './platform/database/database.js';
import { SESSION_SETTINGS } from './platform/database/session-settings.js';
import { migrate } from './platform/database/migrations.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { makeLog } from './platform/logging/log.js';
import { currentEnvironment, loadEnvironmentFile } from './platform/process/command.js';
import { Metrics } from './platform/metrics/metrics.js';
import { openMetricsPort } from './platform/metrics/metrics-server.js';
import { explain } from './platform/process/explain.js';
import { requireDatabase } from './platform/process/external-database.js';
import { prepareRole, setRoleLimits } from './platform/process/role-limits.js';
import { Release } from './platform/replicas/release.js';
import { Replica } from './platform/replicas/replica.js';
import { listen, stopServing } from './platform/process/serving.js';
import { prepareService } from './platform/process/service-role.js';
import { Shutdown } from './platform/process/shutdown.js';
import { banner, startFields } from './platform/process/startup-banner.js';
import { SCHEMA } from './schema.js';

const isTerminal = process.stdout.isTTY;
/** Also with the output in a file; not with nohup, or under a service manager. */
const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** Starts and migrates the embedded PostgreSQL. Sets `DATA_DIR` to its actual directory, for secrets and mails. */
async function embeddedDatabase(settings: Settings, log: Logger, shutdown: Shutdown): Promise<Connection> {
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.DATA_DIR,
    log: (message) => log.info(message),
    problem: (message) => log.error(message),
  });
  shutdown.opened(() => postgres.stop());
  settings.DATA_DIR = postgres.dataDir;
  await migrate(postgres.connection, SCHEMA);
  const connection = await prepareService(postgres.connection);
  await setRoleLimits(connection);
  return connection;
}

async function externalDatabase(url: string, settings: Settings, log: Logger): Promise<Connection> {
  const timeoutMs = settings.DATABASE_WAIT_SECONDS * 1_000;
  await requireDatabase({ url }, SCHEMA, (message) => log.warn(message), timeoutMs);
  await prepareRole({ url }, (message) => log.warn(message));
  return { url };
}

async function start(settings: Settings, log: Logger, shutdown: Shutdown): Promise<void> {
  const changed = changedSettings(settings);
  const url = settings.DATABASE_URL;
  const connection = await (url === undefined
    ? embeddedDatabase(settings, log, shutdown)
    : externalDatabase(url, settings, log));
  const sessionSettings = SESSION_SETTINGS;
  const app = await makeApp(
    { settings, secrets: Secrets.load(settings, settings.DATA_DIR), connection, sessionSettings },
    log,
  );
  shutdown.opened(() => stopServing(app, settings.DRAIN_MS));
  app.get(Replica).onRefused(() => void shutdown.end(1));
  const { version, commit, schema } = app.get(Release);
  const database = await app.get(Database).one<{ server_version: string }>('SHOW server_version');
  // Runs before requests are accepted, because the first one may come from the administrator.
  const administrator = await app.get(FirstAdministrator, { strict: false }).ensure();
  const about = { version, commit, schema, database: `PostgreSQL ${database?.server_version}` };
  shutdown.onEnd(() => log.info({ ...about, uptime_seconds: Math.floor(process.uptime()) }, 'stopped'));
  shutdown.opened(await openMetricsPort(app.get(Metrics), settings));
  await listen(app, settings).catch((error: unknown) => {
    // A generated password is stored nowhere else, so it is logged even if the port is in use.
    if (administrator?.password !== undefined) {
      log.warn(`Administrator ${administrator.email}, password ${administrator.password}`);
    }
    throw error;
  });
  const fields = startFields(settings, administrator);
  log.info(
    { ...about, node: process.version, settings: changed, ...(!isTerminal && fields) },
    `listening on ${settings.HOST}:${settings.PORT}`,
  );
  if (isTerminal) process.stdout.write(`${banner(settings, version, administrator)}\n`);
}

async function run(): Promise<void> {
  const original = { ...process.env };
  loadEnvironmentFile();
  const settings = readSettings(process.env, { serves: true });
  const log = makeLog(settings.LOG_LEVEL, { isTerminal });
  const shutdown = new Shutdown(
    (problem) => log.fatal({ err: problem }, 'unexpected error'),
    (code) => process.exit(code),
  );
  const settingsReload = new SettingsReload(settings, log);
  shutdown.listen({ hasTerminal, reload: () => settingsReload.apply(currentEnvironment(original)) });
  await shutdown.during(start(settings, log, shutdown)).catch(async (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    await shutdown.end(1);
  });
}

await run().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
