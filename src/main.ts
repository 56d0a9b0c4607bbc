import 'reflect-metadata';
import type { Logger } from 'pino';
import { keepWorkers } from './keep-workers.js';
import { changedSettings, readSettings } from './platform/config/read-settings.js';
import { SettingsReload } from './platform/config/reload-settings.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import { migrate } from './platform/database/schema/migrations.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { makeLog } from './platform/logging/log.js';
import { removeOldPartitions } from './platform/partitions/partition-removal.js';
import { currentEnvironment, loadEnvironmentFile } from './platform/process/command.js';
import { explain } from './platform/process/explain.js';
import { requireDatabase } from './platform/process/external-database.js';
import { prepareRole, setRoleLimits } from './platform/process/role-limits.js';
import { prepareService } from './platform/process/service-role.js';
import { Shutdown } from './platform/process/shutdown.js';
import { banner, startFields } from './platform/process/startup-banner.js';
import { workerCount } from './platform/process/worker-count.js';
import type { StartedService } from './platform/process/worker-messages.js';
import { PARTITIONED_TABLES } from './partitioned-tables.js';
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
  await removeOldPartitions(postgres.connection, PARTITIONED_TABLES);
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

interface Process {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  /** The environment without `.env`. */
  original: NodeJS.ProcessEnv;
  /** Registers how to pass on that the settings were reloaded. */
  onReload: (listener: () => void) => void;
}

async function start({ settings, log, shutdown, original, onReload }: Process): Promise<void> {
  const changed = changedSettings(settings);
  const workers = workerCount(settings);
  const url = settings.DATABASE_URL;
  const connection = await (url === undefined
    ? embeddedDatabase(settings, log, shutdown)
    : externalDatabase(url, settings, log));
  let started: StartedService;
  if (workers === 1) {
    // Loaded only here, because a process that keeps workers does not need it.
    const { serve } = await import('./serve.js');
    const onRefused = () => void shutdown.end(1);
    ({ started } = await serve({ settings, connection, log, shutdown, onRefused }));
  } else {
    const kept = await keepWorkers({ settings, connection, log, shutdown, original });
    onReload(() => kept.pool.reload());
    ({ started } = kept);
  }
  announce(settings, log, started, changed);
}

function announce(settings: Settings, log: Logger, started: StartedService, changed: Record<string, unknown>): void {
  const { administrator, ...about } = started;
  const fields = startFields(settings, administrator);
  log.info(
    { ...about, node: process.version, settings: changed, ...(!isTerminal && fields) },
    `listening on ${settings.HOST}:${settings.PORT}`,
  );
  if (isTerminal) process.stdout.write(`${banner(settings, about.version, administrator)}\n`);
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
  let passOn = (): void => undefined;
  const reload = (): void => {
    settingsReload.apply(currentEnvironment(original));
    passOn();
  };
  shutdown.listen({ hasTerminal, reload });
  const onReload = (listener: () => void): void => {
    passOn = listener;
  };
  await shutdown.during(start({ settings, log, shutdown, original, onReload })).catch(async (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    await shutdown.end(1);
  });
}

await run().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
