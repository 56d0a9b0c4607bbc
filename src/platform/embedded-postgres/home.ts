import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { canReach, serverAccount, type Account } from './account.js';

/** Where everything of one embedded server lies, and as whom it runs. */
export interface Home {
  directory: string;
  cluster: string;
  socket: string;
  password: string;
  accessRules: string;
  serverLog: string;
  account: Account | undefined;
}

/** Prepares the directory, or another one when the server's account cannot get there. */
export function openHome(dataDir: string, log: (message: string) => void): Home {
  const wanted = homeAt(resolve(dataDir));
  if (wanted.account === undefined || canReach(dirname(wanted.directory), wanted.account)) return prepare(wanted);

  const visible = wanted.directory.split('/').filter((part) => part !== '' && !part.startsWith('.'));
  const name = [...visible.slice(-2), shortHash(wanted.directory)].join('-');
  const reachable = homeAt(join('/var/lib/worksmith', name));
  log(`The database's user cannot reach ${wanted.directory}; its data is kept in ${reachable.directory}.`);
  return prepare(reachable);
}

/** A few characters that stand for a longer text in a file name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

/** Creates a directory that only the server's account may enter. */
export function privateDirectory(path: string, account: Account | undefined): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  give(path, account);
}

/** Hands a file or directory to the server's account. */
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

function prepare(home: Home): Home {
  openDirectory(dirname(home.directory));
  privateDirectory(home.directory, home.account);
  // Data put there by root, as a restored backup is, belongs to the server from now on.
  if (home.account && statSync(home.cluster, { throwIfNoEntry: false })?.uid === 0)
    giveTree(home.cluster, home.account);
  return home;
}

/** Like `mkdir -p`, but a strict umask does not lock the server's account out of what is created. */
function openDirectory(path: string): void {
  if (existsSync(path)) return;
  openDirectory(dirname(path));
  mkdirSync(path);
  chmodSync(path, 0o755);
}

/** Hands a directory with all that is in it to the server's account. */
export function giveTree(path: string, account: Account): void {
  lchownSync(path, account.uid, account.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) giveTree(child, account);
    else lchownSync(child, account.uid, account.gid);
  }
}
