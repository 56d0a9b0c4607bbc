import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.js';
import { DirectoryLock } from '../directory-lock.js';
import { openHome, type Home } from '../home.js';
import { findServer } from '../pid-file.js';
import { withTemporaryHome } from '../temporary-home.js';
import { withStarted } from '../use-server.js';
import { BACKED_UP } from './backup.js';
import { copyTree, flushTree, treeOf } from './files.js';
import { DamagedBackup, DATA, readManifest, type Manifest } from './manifest.js';
import { tableDifferences, tableDigests } from './table-digests.js';

/**
 * Verifies that every byte of a backup is unchanged, and that a database with the same rows starts from it. Works on a
 * copy; throws {@link DamagedBackup} with the differences.
 */
export async function verifyBackup(folder: string, log: (message: string) => void): Promise<Manifest> {
  const manifest = readManifest(folder);
  return withTemporaryHome(log, async (dataDir, directory) => {
    copyData(folder, manifest, directory);
    const fieldErrors = tableDifferences(manifest.tables, await withStarted(dataDir, log, tableDigests));
    if (fieldErrors.length > 0) throw new DamagedBackup(folder, fieldErrors);
    return manifest;
  });
}

/**
 * Restores a backup for the next start of the service. Rejects a data folder that contains data, unless `replace` is
 * set: the data is then moved to another folder, whose path is returned as `aside`.
 */
export async function restoreBackup(
  dataDir: string,
  folder: string,
  { replace, log }: { replace: boolean; log: (message: string) => void },
): Promise<{ manifest: Manifest; directory: string; aside: string | undefined }> {
  const manifest = readManifest(folder);
  const home = openHome(dataDir, log);
  const lock = await DirectoryLock.take(home.directory);
  try {
    if (await findServer(home.cluster)) {
      throw new StartError(
        `A PostgreSQL server is running in ${home.directory}. Start the service and stop it again before you ` +
          'restore.',
      );
    }
    const aside = makeRoom(home, replace);
    // The next start removes a folder of this name, which an interrupted restore leaves behind.
    const copy = `${home.cluster}.new-restored`;
    await rm(copy, { recursive: true, force: true });
    copyData(folder, manifest, copy);
    flushTree(copy, treeOf(copy));
    const restored = readdirSync(copy);
    for (const name of BACKED_UP.filter((item) => restored.includes(item))) {
      renameSync(join(copy, name), join(home.directory, name));
    }
    await rm(copy, { recursive: true });
    return { manifest, directory: home.directory, aside };
  } finally {
    lock.release();
  }
}

/** Copies the data; recreates empty directories from the manifest, because some storage systems lose them. */
function copyData(folder: string, { directories }: Manifest, to: string): void {
  const { files } = treeOf(join(folder, DATA));
  copyTree(join(folder, DATA), to, { directories, files });
}

function makeRoom(home: Home, replace: boolean): string | undefined {
  const existing = readdirSync(home.directory).filter((name) => BACKED_UP.includes(name));
  if (existing.length === 0) return undefined;
  if (!replace) {
    throw new StartError(
      `${home.directory} already contains data (${existing.join(', ')}). Restore into another DATA_DIR, or use ` +
        '--replace to move the existing data aside.',
    );
  }
  const aside = join(home.directory, `before-${new Date().toISOString().replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of existing) renameSync(join(home.directory, name), join(aside, name));
  return aside;
}
