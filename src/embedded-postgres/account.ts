import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { StartError } from '../common/start-error.js';

/** The user and group that the server runs as, if they differ from those of this process. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as another account: the owner of existing data, else `postgres`,
 * else `nobody`. Undefined means the current user.
 */
export function serverAccount(cluster: string): Account | undefined {
  if (process.getuid === undefined) return undefined;
  if (process.getuid() !== 0) {
    assertUserHasName();
    return undefined;
  }
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = accountOf('postgres') ?? accountOf('nobody');
  if (!account) {
    throw new StartError(
      'PostgreSQL cannot run as root, and the system has neither a "postgres" nor a "nobody" user. Set ' +
        'DATABASE_URL.',
    );
  }
  return account;
}

/** Whether the account can reach the path and, if it exists, read and enter it. */
export function canReach(path: string, account: Account | undefined): boolean {
  if (!account) return true;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat && !allows(stat, account, stat.isDirectory() ? 5 : 4)) return false;
  return canEnter(dirname(path), account);
}

function canEnter(directory: string, account: Account): boolean {
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (stat && !allows(stat, account, 1)) return false;
  return dirname(directory) === directory || canEnter(dirname(directory), account);
}

function allows(file: { mode: number; uid: number; gid: number }, account: Account, bits: number): boolean {
  let mode = file.mode;
  if (file.uid === account.uid) mode >>= 6;
  else if (file.gid === account.gid) mode >>= 3;
  return (mode & bits) === bits;
}

function accountOf(name: string): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return { uid, gid };
  } catch {
    return undefined;
  }
}

/** PostgreSQL does not run under a uid that has no name. */
function assertUserHasName(): void {
  try {
    userInfo();
  } catch {
    throw new StartError(
      `PostgreSQL cannot run as uid ${process.getuid?.()}: the uid has no entry in /etc/passwd. Set DATABASE_URL.`,
    );
  }
}
