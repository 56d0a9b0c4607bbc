import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.js';
import { flushTree, record, treeOf, type FileRecord } from './files.js';
import type { TableDigest } from './table-digests.js';

/** The list of the contents of a backup, for verification. */
export interface Manifest {
  format: 1;
  /** Absent for a copy of the files of the embedded database. */
  kind?: 'dump';
  begun_at: string;
  postgres: string;
  /**
   * Whether the backup contains the keys of passwords and sessions; otherwise they are only in the environment of the
   * service.
   */
  holds_keys: boolean;
  directories: string[];
  files: FileRecord[];
  tables: TableDigest[];
}

const LIST = 'manifest.json';
const SEAL = 'manifest.sha256';
/** The subfolder of a backup with the contents of DATA_DIR. */
export const DATA = 'data';
const MAX_LISTED = 20;

/** The backup differs from its manifest; the message lists the differences. */
export class DamagedBackup extends StartError {
  constructor(folder: string, fieldErrors: string[]) {
    const more = fieldErrors.length > MAX_LISTED ? [`and ${fieldErrors.length - MAX_LISTED} more`] : [];
    super([`The backup in ${folder} is damaged:`, ...fieldErrors.slice(0, MAX_LISTED), ...more].join('\n- '));
  }
}

/** Rejects an existing folder that is not empty: it may hold another backup. */
export function requireEmpty(folder: string): void {
  const isFile = existsSync(folder) && !statSync(folder).isDirectory();
  if (isFile) throw new StartError(`${folder} is a file. Choose a new or empty folder for the backup.`);
  const existing = existsSync(folder) ? readdirSync(folder) : [];
  if (existing.length > 0) throw new StartError(`${folder} is not empty. Choose a new or empty folder for the backup.`);
}

/** Writes the manifest of the backup in the folder with its checksum, and flushes all of the backup to disk. */
export function writeManifest(folder: string, facts: Omit<Manifest, 'format' | 'directories' | 'files'>): Manifest {
  const root = join(folder, DATA);
  const { directories, files } = treeOf(root);
  const manifest: Manifest = { format: 1, ...facts, directories, files: files.map((path) => record(root, path)) };
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  writeFileSync(join(folder, LIST), text, { mode: 0o600 });
  writeFileSync(join(folder, SEAL), sealOf(text), { mode: 0o600 });
  flushTree(folder, treeOf(folder));
  return manifest;
}

/** Reads the manifest of a backup and checks every file; throws {@link DamagedBackup} if one differs. */
export function readManifest(folder: string): Manifest {
  const manifest = readList(folder);
  const fieldErrors = faultsOf(join(folder, DATA), manifest.files);
  if (fieldErrors.length > 0) throw new DamagedBackup(folder, fieldErrors);
  return manifest;
}

/** Whether a backup is a dump of an external database; does not check its files. */
export const isDump = (folder: string): boolean => readList(folder).kind === 'dump';

function readList(folder: string): Manifest {
  assertBackup(folder);
  const [text, seal] = [LIST, SEAL].map((name) => read(folder, name));
  if (sealOf(text) !== seal.toString('latin1')) throw new DamagedBackup(folder, [`${LIST} or ${SEAL} has changed`]);
  return JSON.parse(text.toString('utf8')) as Manifest;
}

/** Tells a path that is no backup from a backup that is damaged. */
function assertBackup(folder: string): void {
  if (!existsSync(folder)) throw new StartError(`There is no folder ${folder}. Check the path of the backup.`);
  if (!statSync(folder).isDirectory()) {
    throw new StartError(`${folder} is a file. A backup is a folder, as npm run backup writes it.`);
  }
  const missing = [LIST, SEAL, DATA].filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 3) {
    throw new StartError(
      `${folder} is not a backup: it contains no ${LIST}. Name the folder that npm run backup has written.`,
    );
  }
  if (missing.length > 0)
    throw new DamagedBackup(
      folder,
      missing.map((name) => `${name} is missing`),
    );
}

/** A file that may not be read is not damaged; its error names the permission. */
function read(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new DamagedBackup(folder, [`${name} cannot be read (${String(error)})`]);
  }
}

/** The checksum of the manifest, in the format of `sha256sum`. */
const sealOf = (text: string | Buffer): string => `${createHash('sha256').update(text).digest('hex')}  ${LIST}\n`;

function faultsOf(root: string, expected: FileRecord[]): string[] {
  const { files } = treeOf(root);
  const known = new Set(expected.map(({ path }) => path));
  const fieldErrors = files.filter((path) => !known.has(path)).map((path) => `${path} is not part of the backup`);
  const existing = new Set(files);
  for (const { path, bytes, sha256 } of expected) {
    if (!existing.has(path)) fieldErrors.push(`${path} is missing`);
    else {
      const actual = record(root, path);
      if (actual.bytes !== bytes) fieldErrors.push(`${path} has ${actual.bytes} bytes instead of ${bytes}`);
      else if (actual.sha256 !== sha256) fieldErrors.push(`${path} has changed since the backup`);
    }
  }
  return fieldErrors;
}
