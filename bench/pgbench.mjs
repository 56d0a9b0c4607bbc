import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Seconds in which each new connection loads the catalog and plans every statement several times. */
const WARM_UP = 2;
/** The size of the connection pool of the service; with more connections PostgreSQL gets slower. */
const MOST = 10;

export const hasPgbench = () => spawnSync('pgbench', ['--version']).status === 0;

/**
 * Measures PostgreSQL alone: pgbench sends the statements of one request like the service, with ids computed from a
 * random number.
 */
export class Limit {
  constructor(connection, variables, statements, isPipelined) {
    this.connection = connection;
    this.folder = mkdtempSync(join(tmpdir(), 'worksmith-bench-'));
    this.file = join(this.folder, 'limit.sql');
    const lines = statements.map(({ text, values }) => `${inlined(text, values)};`);
    const sent = isPipelined && lines.length > 1 ? ['\\startpipeline', ...lines, '\\endpipeline'] : lines;
    writeFileSync(this.file, [...variables, ...sent, ''].join('\n'));
  }

  async measure(connections, seconds) {
    const { host, port, user, database } = this.connection;
    const where = ['-h', host, '-p', String(port), '-U', user];
    const lasts = String(WARM_UP + Math.max(1, Math.ceil(seconds)));
    const how = ['-n', '-M', 'prepared', '-c', String(Math.min(connections, MOST)), '-j', '1', '-T', lasts, '-P', '1'];
    const { stderr } = await run('pgbench', [...where, ...how, '-f', this.file, database]);
    const each = [...stderr.matchAll(/^progress: .* s, ([\d.]+) tps/gm)].map(([, tps]) => Number(tps)).slice(WARM_UP);
    return { rps: each.reduce((sum, tps) => sum + tps, 0) / each.length };
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Replaces each value by its formula or a literal, and escapes colons that pgbench would read as variables. */
function inlined(text, values) {
  return text
    .replaceAll(/'([^']*)'/g, (whole, inner) =>
      /:[A-Za-z_]/.test(inner) ? `E'${inner.replaceAll(':', '\\072')}'` : whole,
    )
    .replaceAll(/\$(\d+)/g, (_, n) => values[n - 1]?.formula ?? literal(values[n - 1]))
    .replaceAll(/\s+/g, ' ');
}

const literal = (value) => (value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`);
