import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../common/start-error.js';
import { withRunningOrStarted, withStarted } from '../use-server.js';
import { findHome, changeOwnerOfTree, type Home } from '../home.js';
import { findServer } from '../pid-file.js';
import { errorCode, processExists } from '../processes.js';
import { copyTree, treeOf } from './files.js';
import { DATA, requireEmpty, writeManifest, type Manifest } from './manifest.js';
import { copyOnline } from './online-copy.js';
import { tableDigests } from './table-digests.js';

/** The files of a data folder that belong in a backup besides the cluster; all others can be regenerated. */
const OTHER_FILES = ['password', 'secrets.json', 'mail'];

/** The contents of a backup; the cluster comes last, because a folder with a cluster counts as complete. */
export const BACKED_UP = [...OTHER_FILES, 'cluster'];

const UNFINISHED = 'backup.new-';

/**
 * Copies an embedded database with its keys and mails to a new folder, whether or not the service is running. Starts
 * the copy once before it is accepted, so that every backup is known to start, is complete and was shut down cleanly.
 */
export async function makeBackup(dataDir: string, folder: string, log: (message: string) => void): Promise<Manifest> {
  const home = findHome(dataDir, log);
  if (!existsSync(join(home.cluster, 'PG_VERSION')))
    throw new StartError(`${home.directory} does not contain a database.`);
  requireEmpty(folder);
  await clearUnfinished(home);
  const begun_at = new Date().toISOString();
  // Next to the data, where the server's account has access.
  const copy = join(home.directory, UNFINISHED + process.pid);
  try {
    await withRunningOrStarted(dataDir, log, (connection) =>
      copyOnline(connection, home.cluster, join(copy, 'cluster')),
    );
    copyOtherFiles(home, copy);
    if (home.account) changeOwnerOfTree(join(copy, 'cluster'), home.account);
    const tables = await withStarted(copy, log, tableDigests);
    await moveTo(copy, join(folder, DATA));
    const postgres = readFileSync(join(folder, DATA, 'cluster', 'PG_VERSION'), 'utf8').trim();
    const holds_keys = existsSync(join(folder, DATA, 'secrets.json'));
    return writeManifest(folder, { begun_at, postgres, holds_keys, tables });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Removes what a killed backup left next to the data, and stops the server that may still be running there. */
async function clearUnfinished(home: Home): Promise<void> {
  for (const name of readdirSync(home.directory)) {
    if (!name.startsWith(UNFINISHED) || processExists(Number(name.slice(UNFINISHED.length)))) continue;
    const directory = join(home.directory, name);
    const server = await findServer(join(directory, 'cluster'));
    if (server) process.kill(server.pid, 'SIGQUIT');
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Copies everything besides the cluster, except mails that are still being written, whose names begin with a dot. */
function copyOtherFiles(home: Home, copy: string): void {
  const isLeftOut = (path: string): boolean =>
    !OTHER_FILES.includes(path.split('/')[0]) || basename(path).startsWith('.');
  copyTree(home.directory, copy, treeOf(home.directory, isLeftOut));
}

/** Moves the backup to its destination, without files that only the test start needed. */
async function moveTo(copy: string, to: string): Promise<void> {
  for (const name of readdirSync(copy)) {
    if (!BACKED_UP.includes(name)) await rm(join(copy, name), { recursive: true });
  }
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(copy, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    copyTree(copy, to, treeOf(copy));
  }
}
