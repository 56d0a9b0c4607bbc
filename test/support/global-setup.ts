import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  var testPostgres: ChildProcess | undefined;
}

/**
 * Starts one PostgreSQL for the whole run, with the migrated template that every test file clones. It lives in a
 * process of its own that runs the sources as the service does, which jest's own set-up code cannot. Where TEST_POSTGRES
 * says that there is one already, that one will do.
 */
export default async function setUp(): Promise<void> {
  process.env.CONTRACT_DIR = mkdtempSync(join(tmpdir(), 'worksmith-contract-'));
  if (process.env.TEST_POSTGRES !== undefined) return;
  const child = fork('test/support/postgres.ts', { execArgv: ['--import', '@swc-node/register/esm-register'] });
  globalThis.testPostgres = child;
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`PostgreSQL for the tests did not start (${code})`))),
  ])) as [unknown];
  process.env.TEST_POSTGRES = JSON.stringify(message);
}
