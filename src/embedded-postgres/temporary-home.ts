import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from './home.js';

type Log = (message: string) => void;

/** Provides a new data folder, and the folder that it stands for, and removes both after the call. */
export async function withTemporaryHome<T>(
  log: Log,
  work: (dataDir: string, directory: string) => Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'worksmith-verify-'));
  // The account of the server must be able to read and enter it; the data in it is private.
  chmodSync(temporary, 0o755);
  const dataDir = join(temporary, 'data');
  const { directory } = openHome(dataDir, log);
  try {
    return await work(dataDir, directory);
  } finally {
    for (const used of new Set([temporary, directory])) await rm(used, { recursive: true, force: true });
  }
}
