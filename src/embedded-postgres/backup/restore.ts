import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.js';
import { DirectoryLock } from '../directory-lock.js';
import { openHome, type Home } from '../home.js';
import { findServer } from '../pid-file.js';
import { withStarted } from '../use-server.js';
import { KEPT } from './backup.js';
import { copyTree, flushTree, treeOf } from './files.js';
import { DamagedBackup, DATA, readManifest, type Manifest } from './manifest.js';
import { tableDigests, type TableDigest } from './table-digests.js';

/**
 * Verifies that a backup is unchanged to the last byte, and that a database with the same rows starts from it. Works on
 * a copy; throws {@link DamagedBackup} with the difference.
 */
export async function verifyBackup(folder: string, log: (message: string) => void): Promise<Manifest> {
  const manifest = readManifest(folder);
  const temporary = mkdtempSync(join(tmpdir(), 'worksmith-verify-'));
  chmodSync(temporary, 0o711);
  const wanted = join(temporary, 'data');
  const { directory } = openHome(wanted, log);
  try {
    copyData(folder, manifest, directory);
    const faults = differences(manifest.tables, await withStarted(wanted, log, tableDigests));
    if (faults.length > 0) throw new DamagedBackup(folder, faults);
    return manifest;
  } finally {
    for (const used of new Set([temporary, directory])) await rm(used, { recursive: true, force: true });
  }
}

/**
 * Puts a backup in place for the next start of the service. Rejects a folder that holds data, unless it is to be
 * `replaced`: then the folder is renamed and its new path returned.
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
    // Under this name, the next start recognizes an unfinished cluster if the restore is interrupted.
    const copy = `${home.cluster}.new-restored`;
    await rm(copy, { recursive: true, force: true });
    copyData(folder, manifest, copy);
    flushTree(copy, treeOf(copy));
    const restored = readdirSync(copy);
    for (const name of KEPT.filter((kept) => restored.includes(kept))) {
      renameSync(join(copy, name), join(home.directory, name));
    }
    await rm(copy, { recursive: true });
    return { manifest, directory: home.directory, aside };
  } finally {
    lock.release();
  }
}

/** Recreates empty directories from the list, because some storage loses them. */
function copyData(folder: string, { directories }: Manifest, to: string): void {
  const { files } = treeOf(join(folder, DATA));
  copyTree(join(folder, DATA), to, { directories, files });
}

function makeRoom(home: Home, replace: boolean): string | undefined {
  const there = readdirSync(home.directory).filter((name) => KEPT.includes(name));
  if (there.length === 0) return undefined;
  if (!replace) {
    throw new StartError(
      `${home.directory} already contains data (${there.join(', ')}). Restore into another DATA_DIR, or use ` +
        '--replace to move the existing data aside.',
    );
  }
  const aside = join(home.directory, `before-${new Date().toISOString().replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of there) renameSync(join(home.directory, name), join(aside, name));
  return aside;
}

function differences(wanted: TableDigest[], found: TableDigest[]): string[] {
  const there = new Map(found.map((table) => [table.table, table]));
  const faults = wanted.flatMap(({ table, rows, digest }) => {
    const other = there.get(table);
    if (other === undefined) return [`table ${table} is missing`];
    if (other.rows !== rows) return [`table ${table} has ${other.rows} rows instead of ${rows}`];
    return other.digest === digest ? [] : [`the content of table ${table} differs`];
  });
  const known = new Set(wanted.map(({ table }) => table));
  return [
    ...faults,
    ...found.filter(({ table }) => !known.has(table)).map(({ table }) => `table ${table} is not in the backup`),
  ];
}
