import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerCleanup } from './opened.mjs';
import { cleanEnvironment, ROOT } from './programs.mjs';

/** The files that an operator copies to the machines of a cluster. */
export const FILES = join(ROOT, 'deploy/cluster');

const isRoot = process.getuid() === 0;
const cache = isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '', '.cache'));
const folder = process.env.PRODUCTION_PROGRAMS ?? join(cache, 'worksmith', 'programs');

export const PROGRAMS = {
  postgres: '/usr/lib/postgresql/15/bin/postgres',
  psql: '/usr/bin/psql',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  patroni: join(folder, 'patroni/bin/patroni'),
  pgbouncer: join(folder, 'pgbouncer/run'),
};

/** The programs that this machine lacks; scripts/production-programs.sh installs them. */
export const missingPrograms = () => Object.values(PROGRAMS).filter((program) => !existsSync(program));

/** PostgreSQL refuses to run as root. With the end of this process, the program ends too. */
const asUser = (program, words) =>
  isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=KILL', program, ...words]]
    : [program, words];

/** A program that can be killed, frozen and launched again with the same words and settings. */
export class ClusterProgram {
  output = '';

  constructor(program, words, environment = {}) {
    this.command = asUser(program, words);
    this.environment = { ...cleanEnvironment(), LC_ALL: 'C.UTF-8', ...environment };
    registerCleanup(() => this.end('SIGKILL'));
  }

  launch() {
    const child = spawn(...this.command, { cwd: '/', env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output = (this.output + text).slice(-50_000)));
    }
    this.child = child;
    // Not `close`: a server that Patroni has started holds its output open.
    this.ended = once(child, 'exit');
    return this;
  }

  get pid() {
    return this.child.pid;
  }

  get isRunning() {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal = 'SIGTERM') {
    if (!this.isRunning) return;
    this.child.kill(signal);
    await this.ended;
  }
}

/** The settings of a file of the form NAME=value, some of them with other values; each of those must be in the file. */
export function settingsOf(name, changes) {
  const lines = readFileSync(join(FILES, name), 'utf8').split('\n');
  const settings = Object.fromEntries(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  const unknown = Object.keys(changes).find((key) => !(key in settings));
  if (unknown !== undefined) throw new Error(`deploy/cluster/${name} has no ${unknown}`);
  return { ...settings, ...changes };
}
