import 'reflect-metadata';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { prepareService } from '../../src/platform/process/service-role.js';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../../src/schema.js';

// Ctrl-C signals every process of the terminal, but this one must run until the test run has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const runHasEnded = process.connected ? once(process, 'disconnect') : Promise.resolve();

const directory = process.env.TEST_DATABASE_DIR ?? '';
const dataDir = join(directory, 'postgres');
const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, unsafeForTests: true });

try {
  await makeTemplate();
} catch (error) {
  await stop();
  throw error;
}

if (process.connected) process.send?.(postgres.connection);
await runHasEnded;
await stop();
process.exit();

async function makeTemplate(): Promise<void> {
  const admin = await makeDataSource(postgres.connection, { entities: [], migrations: [] }).initialize();
  await admin.query('CREATE DATABASE template_worksmith');
  await migrate({ ...postgres.connection, database: 'template_worksmith' }, SCHEMA);
  const { user } = await prepareService({ ...postgres.connection, database: 'template_worksmith' });
  // The service sets this for its role in its database (platform/process/role-limits.ts); here it holds in every clone.
  await admin.query(`ALTER ROLE ${user} SET plan_cache_mode = 'force_generic_plan'`);
  await admin.destroy();
}

async function stop(): Promise<void> {
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
