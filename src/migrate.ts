import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { migrate } from './platform/database/migrations.js';
import { setRoleLimits } from './platform/process/role-limits.js';
import { SCHEMA } from './schema.js';

/** `npm run migrate`: brings the database of DATABASE_URL up to this build. */
async function run(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') {
    throw new Error('DATABASE_URL is not set. The embedded database needs no migrating: npm start does it.');
  }
  const done = await migrate({ url }, SCHEMA);
  await setRoleLimits({ url });
  const lines = done.map((name) => `  ${name}`);
  process.stdout.write(
    done.length === 0 ? 'Nothing to do.\n' : `${done.length} migration(s) done:\n${lines.join('\n')}\n`,
  );
}

await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
