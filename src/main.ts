import 'reflect-metadata';
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { makeApp } from './configure-app.js';
import { FirstAdministrator } from './modules/auth/first-administrator.js';
import { Secrets } from './platform/config/secrets.js';
import { readSettings, SettingsError, type Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connection.js';
import { migrate } from './platform/database/migrations.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.js';
import { makeLog } from './platform/logging/log.js';
import { requireDatabase } from './platform/process/external-database.js';
import { listen, stopServing } from './platform/process/serving.js';
import { setRoleLimits } from './platform/process/role-limits.js';
import { Shutdown } from './platform/process/shutdown.js';
import { StartError } from './platform/process/start-error.js';
import { welcome } from './platform/process/welcome.js';
import { SCHEMA } from './schema.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The embedded PostgreSQL, brought up to date; secrets and mails are kept beside its data, wherever that is. */
async function embeddedDatabase(settings: Settings, log: Logger, shutdown: Shutdown): Promise<Connection> {
  const postgres = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log: (message) => log.info(message) });
  shutdown.opened(() => postgres.stop());
  settings.DATA_DIR = postgres.dataDir;
  await setRoleLimits(postgres.connection);
  await migrate(postgres.connection, SCHEMA);
  return postgres.connection;
}

async function externalDatabase(url: string, log: Logger): Promise<Connection> {
  await requireDatabase({ url }, SCHEMA, (message) => log.warn(message));
  return { url };
}

async function start(settings: Settings, log: Logger, shutdown: Shutdown): Promise<void> {
  const url = settings.DATABASE_URL;
  const connection = await (url === undefined ? embeddedDatabase(settings, log, shutdown) : externalDatabase(url, log));
  const app = await makeApp({ settings, secrets: Secrets.load(settings, settings.DATA_DIR), connection });
  shutdown.opened(() => stopServing(app, settings.DRAIN_MS));
  // Before anybody can call: the first request may be the administrator's.
  const made = await app.get(FirstAdministrator, { strict: false }).ensure();
  await listen(app, settings).catch((error: unknown) => {
    // A password that was just made is known nowhere else, so it is said even where the port is taken.
    if (made?.password !== undefined) say(`Administrator ${made.email}, password ${made.password}`);
    throw error;
  });
  log.info(`listening on ${settings.HOST}:${settings.PORT}`);
  if (url === undefined || process.stdout.isTTY) say(welcome(settings, made));
}

async function run(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings(process.env);
  const log = makeLog(settings.LOG_LEVEL);
  const shutdown = new Shutdown(
    (problem) => log.fatal({ err: problem }, 'unexpected failure'),
    (code) => process.exit(code),
  );
  shutdown.listen();
  await shutdown.during(start(settings, log, shutdown)).catch(async (error: unknown) => {
    tell(error);
    await shutdown.end(1);
  });
}

/** What can be mended is said in a sentence; a stack is for what cannot. */
function tell(error: unknown): void {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
}

await run().catch((error: unknown) => {
  tell(error);
  process.exit(1);
});
