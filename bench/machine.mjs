import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import pg from 'pg';
import { ROOT } from './processes.mjs';

/** The machine, the versions and the commit of a run. */
export async function machineOf({ connection }) {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return {
    processor: `${cpus().length} x ${cpus()[0].model}`,
    memoryGb: totalmem() / 2 ** 30,
    node: process.version,
    postgres: rows[0].server_version,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
  };
}

function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes';
    return `${git('rev-parse', '--short', 'HEAD')}${changed}`;
  } catch {
    return 'unknown';
  }
}
