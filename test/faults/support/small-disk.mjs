import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { opened } from './opened.mjs';
import { ownFolder } from './programs.mjs';

const BLOCK = Buffer.alloc(256 * 1024);

/** A file system of its own that can be filled up; undefined where this user may not mount one. */
export function mountSmallDisk(megabytes) {
  const folder = ownFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  opened(async () => void execFileSync('umount', [folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Leaves not a byte. */
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
