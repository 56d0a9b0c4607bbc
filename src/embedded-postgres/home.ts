import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../common/start-error.js';
import { canReach, serverAccount, type Account } from './account.js';
import { diskFull } from './failures.js';
import { assertOurs, isOurs, mark } from './marker.js';
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
  const wanted = homeAt(resolve(dataDir));
  if (isReachable(wanted)) return wanted;
  const visible = wanted.directory.split('/').filter((part) => part !== '' && !part.startsWith('.'));
  const name = [...visible.slice(-2), shortHash(wanted.directory)].join('-');
  const reachable = homeAt(join('/var/lib/worksmith', name));
  log(`The database user cannot access ${wanted.directory}; the data is stored in ${reachable.directory}.`);
  return reachable;
}

/**
 * Finds and prepares the data directory. A directory with foreign content is rejected; the owner and mode of an
 * existing directory stay as they are.
 */
export function openHome(dataDir: string, log: (message: string) => void): Home {
  let directory = resolve(dataDir);
  try {
    const home = findHome(directory, log);
    ({ directory } = home);
    prepare(home);
    return home;
  } catch (error) {
    throw explained(error, directory);
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
  give(path, account);
}

/** Changes the owner of a file or directory to the server's account. */
export function give(path: string, account: Account | undefined): void {
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
 * Whether the directory can be opened. A closed directory that belongs to this process can be; one that was given to
 * the account stays closed.
 */
function isReachable({ directory, account }: Home): boolean {
  if (account === undefined) return true;
  if (!canReach(dirname(directory), account)) return false;
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  return !isDirectory || canReach(directory, account) || isOurs(directory);
}

function prepare(home: Home): void {
  const { directory, cluster, account } = home;
  const isNew = !existsSync(directory);
  if (isNew) {
    openDirectory(dirname(directory));
    privateDirectory(directory, account);
  } else assertOurs(directory);
  mark(directory);
  if (account === undefined) return;
  if (!isNew && !canReach(directory, account)) privateDirectory(directory, account);
  // Data that root restored belongs to the server from now on.
  if (statSync(cluster, { throwIfNoEntry: false })?.uid === 0) giveTree(cluster, account);
}

/** Like `mkdir -p`, but a strict umask does not lock the server's account out of what is created. */
function openDirectory(path: string): void {
  if (existsSync(path)) return;
  openDirectory(dirname(path));
  mkdirSync(path);
  chmodSync(path, 0o755);
}

function explained(error: unknown, directory: string): unknown {
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
export function giveTree(path: string, account: Account): void {
  lchownSync(path, account.uid, account.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) giveTree(child, account);
    else lchownSync(child, account.uid, account.gid);
  }
}
