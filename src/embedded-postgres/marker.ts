import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../common/start-error.js';

const MARKER = '.worksmith';
const TEXT = 'Worksmith stores its database, keys and mail in this folder. Do not remove this file.\n';

/** The file names in data directories of earlier releases, which had no marker. */
const NAMES = [
  /^cluster(\.(new|incomplete).*)?$/,
  /^(password|access\.conf|socket|mail|server\.log(\.1)?)$/,
  /^(service\.lock|secrets\.json)(\..+)?$/,
  /^(programs|backup\.new|before)-.+$/,
];

/** Marks a directory as the data directory of this service. */
export function markDataDirectory(directory: string): void {
  const file = join(directory, MARKER);
  if (!existsSync(file)) writeFileSync(file, TEXT, { mode: 0o644 });
}

/** Rejects a directory with foreign files; an empty one can be used. */
export function assertDataDirectory(directory: string): void {
  if (namesIn(directory).length === 0 || isDataDirectory(directory)) return;
  throw new StartError(
    `DATA_DIR ${directory} contains files that do not belong to Worksmith. Use a new or empty folder: ` +
      'DATA_DIR=<folder> npm start',
  );
}

/** Whether the directory has the marker, or the files of an earlier release. */
export function isDataDirectory(directory: string): boolean {
  const names = namesIn(directory);
  if (names.includes(MARKER)) return true;
  // The database of an earlier release may share its directory with other files.
  if (['cluster/PG_VERSION', 'password'].every((path) => existsSync(join(directory, path)))) return true;
  return names.length > 0 && names.every((name) => NAMES.some((pattern) => pattern.test(name)));
}

/** The names in the directory, without the `lost+found` of a new file system. */
const namesIn = (directory: string): string[] => readdirSync(directory).filter((name) => name !== 'lost+found');
