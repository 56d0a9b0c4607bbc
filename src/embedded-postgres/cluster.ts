import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { diskFull, serverFailure } from './failures.js';
import { changeOwner, privateDirectory, type Home } from './home.js';

/** The name of the superuser and of the database. */
export const NAME = 'worksmith';

/** The size of a new database after its migrations. With less free space, initdb fails with misleading messages. */
const NEW_DATABASE_BYTES = 70_000_000;

const run = promisify(execFile);

/** Creates the data directory if there is no complete one; an incomplete one is renamed. */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  unsafe: boolean,
  log: (message: string) => void,
): Promise<void> {
  for (const name of readdirSync(home.directory)) {
    if (name.startsWith('cluster.new')) rmSync(join(home.directory, name), { recursive: true, force: true });
  }
  if (isComplete(home.cluster)) return;
  requireSpace(home.directory);
  setAside(home.cluster, log);

  log(`Creating a PostgreSQL ${binaries.major} database in ${home.directory}.`);
  writeFileSync(home.password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  changeOwner(home.password, home.account);
  // initdb refuses a directory that an earlier initdb left incomplete, so it works under a temporary name.
  const unfinished = `${home.cluster}.new`;
  await initialize(home, binaries, unfinished, unsafe ? ['--no-sync'] : []);
  renameSync(unfinished, home.cluster);
  flush(home.directory);
}

function isComplete(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION')) && existsSync(join(cluster, 'global', 'pg_control'));
}

function setAside(cluster: string, log: (message: string) => void): void {
  if (!existsSync(cluster)) return;
  const aside = `${cluster}.incomplete-${Date.now()}`;
  renameSync(cluster, aside);
  log(`${cluster} was not a complete data directory; it was moved to ${aside}.`);
}

async function initialize(home: Home, binaries: Binaries, directory: string, extra: string[]): Promise<void> {
  const login = ['-U', NAME, `--pwfile=${home.password}`, '--auth-local=trust', '--auth-host=scram-sha-256'];
  const common = ['-D', directory, '-E', 'UTF8', '--data-checksums', '--no-instructions', ...login, ...extra];
  const [preferred, fallback] = localeArguments(binaries.major);
  const options = { ...home.account, cwd: home.directory, env: serverEnvironment(), encoding: 'utf8' as const };
  try {
    privateDirectory(directory, home.account);
    await run(binaries.initdb, [...common, ...preferred], options);
  } catch {
    // Not every system has the locale C.UTF-8.
    rmSync(directory, { recursive: true, force: true });
    privateDirectory(directory, home.account);
    await run(binaries.initdb, [...common, ...fallback], options).catch((error: unknown) => {
      rmSync(directory, { recursive: true, force: true });
      requireSpace(home.directory);
      const { stderr = String(error) } = error as { stderr?: string };
      throw serverFailure('The database could not be created in', stderr, home.directory);
    });
  }
}

/** Looked at before initdb too: on a full disk that crashes, and its shared memory stays behind. */
function requireSpace(directory: string): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < NEW_DATABASE_BYTES) throw diskFull(directory);
}

/**
 * The preferred arguments and a fallback: sorting by code point, with letter case by Unicode, by PostgreSQL's own
 * provider if it has one.
 */
function localeArguments(major: number): [string[], string[]] {
  if (major < 17) return [['--locale=C.UTF-8'], ['--locale=C']];
  return [
    ['--locale-provider=builtin', '--locale=C.UTF-8'],
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  ];
}

/** The environment for the server: that of this process, above all its PG... variables, must not affect it. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  return { PATH, SystemRoot, TEMP, TMP };
}

function flush(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
