import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blocksOf, OPERATIONS } from '../support/documentation.js';
import {
  folderOfUser,
  missingPrograms,
  PGBOUNCER,
  POSTGRES,
  PROMETHEUS,
  sayMissing,
} from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';
import { freePort } from '../support/service.js';

const OUTAGE = '## First outage';
const missing = [...missingPrograms(), ...Object.values(PROMETHEUS).filter((program) => !existsSync(program))];

/** The blocks of the page as one script that keeps the logs of before the outages. */
function pasted(): string {
  const [before, outages] = readFileSync(OPERATIONS, 'utf8').split(`\n${OUTAGE}\n`);
  return [...blocksOf(before), 'mkdir "$SITE/before" && cp "$SITE"/*.log "$SITE/before"', ...blocksOf(outages)].join(
    '\n',
  );
}

/** Replaces a part of the page that must be there. */
function replaced(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`${OPERATIONS} has no ${from}`);
  return text.replace(from, to);
}

/** Ends what a page that stopped in the middle has left running. */
function endAll(shell: number | undefined, databases: string): void {
  const servers = existsSync(databases) ? readdirSync(databases) : [];
  const files = servers.map((name) => join(databases, name, 'postmaster.pid')).filter((file) => existsSync(file));
  const postmasters = files.map((file) => Number(readFileSync(file, 'utf8').split('\n', 1)[0]));
  for (const pid of [...(shell === undefined ? [] : [-shell]), ...postmasters]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  }
}

requiring(sayMissing(missing))('the commands of docs/operations.md', () => {
  let folder: string;
  let databases: string;
  let shell: number | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worksmith-operations-'));
    databases = join(folderOfUser('databases'), 'servers');
  });
  afterAll(() => {
    endAll(shell, databases);
    for (const made of [folder, dirname(databases)]) rmSync(made, { recursive: true, force: true });
  });

  it('bring up, upgrade, mend, audit and take down a site as pasted', async () => {
    const site = join(folder, 'site');
    const names = ['PORT_1', 'PORT_2', 'PROXY', 'PROMETHEUS', 'POOLER', 'STANDBY'];
    const ports: string[] = [];
    for (const name of names) ports.push(`${name}=${await freePort()}`);
    let script = replaced(pasted(), /^SITE=\S+ DATABASES=\S+/m, `SITE=${site} DATABASES=${databases}`);
    script = replaced(script, /^POSTGRES=.* PGBOUNCER=.*$/m, `POSTGRES=${POSTGRES['15']} PGBOUNCER=${PGBOUNCER.new}`);
    script = replaced(script, /^PORT_1=.*$/m, ports.join(' '));
    script = replaced(script, /PGPORT=5432$/m, `PGPORT=${await freePort()}`);
    const { PATH = '', HOME = '' } = process.env;
    const run = spawn('bash', ['-euo', 'pipefail', '-c', script], { env: { PATH, HOME }, detached: true });
    shell = run.pid;
    let output = '';
    for (const stream of [run.stdout, run.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-5_000)));
    }
    const [code] = (await once(run, 'exit')) as [number | null];
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(readdirSync(site)).toEqual(
      expect.arrayContaining(['audit.csv', 'audit-positions', 'backups', 'settings', 'shell']),
    );
    expect(readFileSync(join(site, 'audit-positions'), 'utf8')).toMatch(
      /^ok +The audit is unchanged: \d+ sealed entries; last position \d+/,
    );
    const before = readdirSync(join(site, 'before')).filter((name) => /^\d+\.log$/.test(name));
    expect(before).toHaveLength(2);
    const logs = before.map((name) => readFileSync(join(site, 'before', name), 'utf8'));
    const warnings = logs
      .join('\n')
      .split('\n')
      .filter((line) => /"level":"(?:warn|error|fatal)"/.test(line));
    // A busy machine may let the primary answer once in a while.
    expect(warnings.filter((line) => !line.includes('"context":"Standby"'))).toEqual([]);
  });
});
