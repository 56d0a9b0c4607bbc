import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { registerCleanup } from './opened.mjs';
import { temporaryFolder } from './programs.mjs';

const BLOCK = Buffer.alloc(256 * 1024);

/** Mounts a small file system that can be filled up; undefined if this user is not allowed to mount one. */
export function mountSmallDisk(megabytes) {
  const folder = temporaryFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  registerCleanup(async () => void execFileSync('umount', [folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Fills it up to the last byte. */
    fill() {
      const file = openSync(filler, 'a');
      for (let size = BLOCK.length; size > 0;) {
        try {
          writeSync(file, BLOCK, 0, size);
        } catch {
          size = Math.floor(size / 2);
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(filler, { force: true }),
  };
}
