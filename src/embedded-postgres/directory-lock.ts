import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../common/start-error.js';
import { startTimeOf, errorCode } from './processes.js';

interface LockHolder {
  token: string;
  pid: number;
  birth: string;
}

/** A lock file in a directory, held by one running process; the lock of an ended process is ignored. */
export class DirectoryLock {
  private constructor(
    private readonly file: string,
    private readonly token: string,
  ) {}

  /** Throws if another running process, or this one, already holds the directory. */
  static async take(directory: string): Promise<DirectoryLock> {
    const file = join(directory, 'service.lock');
    const self: LockHolder = { token: randomUUID(), pid: process.pid, birth: startTimeOf(process.pid) ?? '' };
    const text = JSON.stringify(self);
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      await takeOver(directory, file, self, text);
    }
    return new DirectoryLock(file, self.token);
  }

  release(): void {
    if (holderOf(this.file)?.token === this.token) rmSync(this.file, { force: true });
  }
}

async function takeOver(directory: string, file: string, self: LockHolder, text: string): Promise<void> {
  const candidate = `${file}.${self.token}`;
  writeFileSync(candidate, text, { mode: 0o600 });
  try {
    // An empty file may have just been created by a process that has not written to it yet.
    if (holderOf(file) === undefined && age(file) < 1000) await sleep(200);
    const holder = holderOf(file);
    if (holder && startTimeOf(holder.pid) === holder.birth) throw inUse(directory, holder.pid);
    renameSync(candidate, file);
    // Several processes may replace the same stale lock: the last rename wins, and all see it after this pause.
    await sleep(100);
    const winner = holderOf(file);
    if (winner?.token !== self.token) throw inUse(directory, winner?.pid);
  } finally {
    rmSync(candidate, { force: true });
  }
}

function holderOf(file: string): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(readFileSync(file, 'utf8'));
    return holder;
  } catch {
    return undefined;
  }
}

function age(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function inUse(directory: string, pid: number | undefined): StartError {
  return new StartError(
    `The database in ${directory} is already in use by process ${pid ?? 'unknown'}. Stop that service first, ` +
      'or set another DATA_DIR or a DATABASE_URL for this one.',
  );
}
