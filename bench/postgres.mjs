import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stopAll } from './processes.mjs';

const INTERRUPTED = 130;

/**
 * Runs the work on an embedded PostgreSQL. Afterwards, and on Ctrl-C, stops it and all started servers. Without a
 * folder it removes the data as well.
 */
export async function withPostgres(folder, say, work) {
  const { startEmbeddedPostgres } = await import('../dist/embedded-postgres/embedded-postgres.js');
  const dataDir = folder === undefined ? mkdtempSync(join(tmpdir(), 'worksmith-bench-')) : resolve(folder);
  // PostgreSQL does not run as root, and its user needs access to this folder.
  if (folder === undefined) chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  let ending;
  const end = () => (ending ??= stop(postgres, folder === undefined ? dataDir : undefined));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void end().finally(() => process.exit(INTERRUPTED)));
  }
  try {
    await work(postgres);
  } finally {
    await end();
  }
}

async function stop(postgres, temporary) {
  await stopAll();
  await postgres.stop();
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}
