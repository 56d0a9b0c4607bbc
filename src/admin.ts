import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { FirstAdministrator, type SetUp } from './modules/auth/first-administrator.js';
import { Secrets } from './platform/config/secrets.js';
import { readSettings, type Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connection.js';
import { migrate } from './platform/database/migrations.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.js';
import { requireDatabase } from './platform/process/external-database.js';
import { SCHEMA } from './schema.js';

const USAGE = 'Usage: npm run admin -- create <email>';
const quiet = (): void => undefined;

/** `npm run admin -- create <email>`: makes an administrator, or makes one of a user, in the database of the settings. */
async function run([command, email]: string[]): Promise<void> {
  if (command !== 'create' || email === undefined) throw new Error(USAGE);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings({ ...process.env, WORKERS: 'false', LOG_LEVEL: 'error' });
  const made = await withDatabase(settings, (connection) => create(settings, connection, email));
  const lines = [`${made.email} is an administrator.`];
  if (made.password === undefined) lines.push('The password is the one they had.');
  else lines.push(`Password: ${made.password}   (shown only this once)`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function withDatabase<T>(settings: Settings, work: (connection: Connection) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL !== undefined) {
    const connection = { url: settings.DATABASE_URL };
    await requireDatabase(connection, SCHEMA, quiet, 0);
    return work(connection);
  }
  const postgres = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log: quiet });
  try {
    settings.DATA_DIR = postgres.dataDir;
    await migrate(postgres.connection, SCHEMA);
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

async function create(settings: Settings, connection: Connection, email: string): Promise<SetUp> {
  const secrets = Secrets.load(settings, settings.DATA_DIR);
  const context = await NestFactory.createApplicationContext(AppModule.with({ settings, secrets, connection }), {
    logger: ['error'],
    abortOnError: false,
  });
  try {
    return await context.get(FirstAdministrator, { strict: false }).create(email);
  } finally {
    await context.close();
  }
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
