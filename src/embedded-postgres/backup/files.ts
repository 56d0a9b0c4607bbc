import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The contents of a directory as sorted relative paths with forward slashes, including empty directories. */
export interface Tree {
  directories: string[];
  files: string[];
}

/** The size and the hash of one file, for verification. */
export interface FileRecord {
  path: string;
  bytes: number;
  sha256: string;
}

/** Lists a directory recursively, without the files and directories that `isLeftOut` selects. */
export function treeOf(root: string, isLeftOut: (path: string) => boolean = () => false): Tree {
  const tree: Tree = { directories: [], files: [] };
  const walk = (directory: string): void => {
    const entries = readdirSync(join(root, directory), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isLeftOut(path)) continue;
      if (!entry.isDirectory()) tree.files.push(path);
      else {
        tree.directories.push(path);
        walk(path);
      }
    }
  };
  walk('');
  return tree;
}

/** Copies one file; unlike `fs.copyFile`, it supports files whose size changes meanwhile. */
export function copyContent(from: string, to: string): void {
  const target = openSync(to, 'w', 0o600);
  try {
    forEachChunk(from, (chunk) => writeSync(target, chunk));
  } finally {
    closeSync(target);
  }
}

/** Creates the directories of a tree. */
export function makeDirectories(root: string, directories: string[]): void {
  for (const path of ['', ...directories]) mkdirSync(join(root, path), { recursive: true, mode: 0o700 });
}

/** Copies a tree whose files do not change. */
export function copyTree(from: string, to: string, { directories, files }: Tree): void {
  makeDirectories(to, directories);
  for (const path of files) copyContent(join(from, path), join(to, path));
}

/** Reads a whole file and returns its size and hash. */
export function record(root: string, path: string): FileRecord {
  const hash = createHash('sha256');
  let bytes = 0;
  forEachChunk(join(root, path), (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  return { path, bytes, sha256: hash.digest('hex') };
}

/** Flushes all files and directories of a tree to disk. */
export function flushTree(root: string, { directories, files }: Tree): void {
  for (const path of files) flush(join(root, path), 'r+');
  // Windows cannot open directories, and does not need to flush them.
  if (process.platform === 'win32') return;
  for (const path of ['', ...directories]) flush(join(root, path), 'r');
}

function flush(path: string, mode: string): void {
  const file = openSync(path, mode);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const buffer = Buffer.allocUnsafe(1 << 20);

function forEachChunk(path: string, use: (chunk: Buffer) => void): void {
  const file = openSync(path, 'r');
  try {
    for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer)) use(buffer.subarray(0, bytes));
  } finally {
    closeSync(file);
  }
}
