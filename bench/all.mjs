import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Databases } from './databases.mjs';
import { readTexts } from './data/texts.mjs';
import { describe } from './description.mjs';
import { measureSizes } from './measure.mjs';
import { planOf } from './plan.mjs';
import { ROOT } from './processes.mjs';
import { measureStartup } from './startup.mjs';

/** Measures what the options select and prints the report; writes it to RESULTS.md after a complete run or on request. */
export async function measureAll({ server, options, isKept, texts, say }) {
  const plan = planOf(options);
  const startup = plan.startup ? await measureStartup() : undefined;
  const read = await readTexts(texts);
  const databases = new Databases(server.connection, read, { isKept, say });
  const measured = await measureSizes({ databases, postmaster: server.postmaster, texts: read.texts, plan, say });
  const text = describe({ measured, startup, machine: await machineOf(server), source: read.source, plan });
  say(`\n${text}`);
  if (plan.isWhole || options.write) writeFileSync(join(ROOT, 'bench/RESULTS.md'), text);
}

async function machineOf({ connection }) {
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
