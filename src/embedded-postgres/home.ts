import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../common/start-error.js';
import { canReach, serverAccount, type Account } from './account.js';
import { diskFull } from './failures.js';
import { assertDataDirectory, isDataDirectory, markDataDirectory } from './marker.js';
import { errorCode } from './processes.js';

/** The paths of one embedded server, and the account it runs as. */
export interface Home {
  directory: string;
  cluster: string;
  socket: string;
  password: string;
  accessRules: string;
  serverLog: string;
  account: Account | undefined;
}

/** Finds the data directory, or another one if the server's account cannot reach it; changes nothing. */
export function findHome(dataDir: string, log: (message: string) => void): Home {
  const requested = homeAt(resolve(dataDir));
  if (isReachable(requested)) return requested;
  const parts = requested.directory.split('/').filter((part) => part !== '' && !part.startsWith('.'));
  const name = [...parts.slice(-2), shortHash(requested.directory)].join('-');
  const reachable = homeAt(join('/var/lib/worksmith', name));
  if (!isReachable(reachable)) {
    throw new StartError(
      `The database user can access neither ${requested.directory} nor ${reachable.directory}. Set DATA_DIR to a folder that ` +
        'every user can enter.',
    );
  }
  log(`The database user cannot access ${requested.directory}; the data is stored in ${reachable.directory}.`);
  return reachable;
}

/**
 * Finds and prepares the data directory. Rejects a directory with foreign content, and leaves the owner and mode of an
 * existing directory unchanged.
 */
export function openHome(dataDir: string, log: (message: string) => void): Home {
  let directory = resolve(dataDir);
  try {
    const home = findHome(directory, log);
    ({ directory } = home);
    prepare(home);
    return home;
  } catch (error) {
    throw toStartError(error, directory);
  }
}

/** A short hash of a longer text, for a file name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

/** Creates a directory that only the server's account may enter; its parent exists. */
export function privateDirectory(path: string, account: Account | undefined): void {
  // Not recursive: for a path where no directory can be created, such as below /proc, Node retries for ever.
  if (!existsSync(path)) mkdirSync(path);
  chmodSync(path, 0o700);
  changeOwner(path, account);
}

/** Changes the owner of a file or directory to the server's account. */
export function changeOwner(path: string, account: Account | undefined): void {
  if (account) chownSync(path, account.uid, account.gid);
}

function homeAt(directory: string): Home {
  const cluster = join(directory, 'cluster');
  return {
    directory,
    cluster,
    socket: join(directory, 'socket'),
    password: join(directory, 'password'),
    accessRules: join(directory, 'access.conf'),
    serverLog: join(directory, 'server.log'),
    account: serverAccount(cluster),
  };
}

/**
 * Whether the account can access the directory, or will be able to, because it is one of this service, whose owner is
 * changed before use.
 */
function isReachable({ directory, account }: Home): boolean {
  if (account === undefined) return true;
  if (!canReach(dirname(directory), account)) return false;
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  return !isDirectory || canReach(directory, account) || isDataDirectory(directory);
}

function prepare(home: Home): void {
  const { directory, cluster, account } = home;
  const isNew = !existsSync(directory);
  if (isNew) {
    openDirectory(dirname(directory));
    privateDirectory(directory, account);
  } else assertDataDirectory(directory);
  markDataDirectory(directory);
  if (account === undefined) return;
  if (!isNew && !canReach(directory, account)) privateDirectory(directory, account);
  // Data that root has restored must belong to the server.
  if (statSync(cluster, { throwIfNoEntry: false })?.uid === 0) changeOwnerOfTree(cluster, account);
}

/** Like `mkdir -p`, but the server's account can enter the new directories even with a strict umask. */
function openDirectory(path: string): void {
  if (existsSync(path)) return;
  openDirectory(dirname(path));
  mkdirSync(path);
  chmodSync(path, 0o755);
}

function toStartError(error: unknown, directory: string): unknown {
  const code = String(errorCode(error));
  if (code === 'ENOSPC') return diskFull(directory);
  if (['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(code)) {
    return new StartError(
      `DATA_DIR ${directory} is not writable for this user. Change its owner, or use another folder: ` +
        'DATA_DIR=<folder> npm start',
    );
  }
  if (['ENOTDIR', 'EEXIST'].includes(code)) {
    return new StartError(`DATA_DIR ${directory} is not a folder. Use a new or empty folder.`);
  }
  return error;
}

/** Changes the owner of a whole directory to the server's account. */
export function changeOwnerOfTree(path: string, account: Account): void {
  lchownSync(path, account.uid, account.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) changeOwnerOfTree(child, account);
    else lchownSync(child, account.uid, account.gid);
  }
}
