import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** The code of a system call's error, such as ENOENT. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Whether a process with this id exists, regardless of its owner. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * The start time of a process, which distinguishes it from a later one with the same id; undefined if there is no such
 * process, empty if the system does not provide it.
 */
export function startTimeOf(pid: number): string | undefined {
  if (!processExists(pid)) return undefined;
  if (process.platform === 'linux') {
    const [state, ...rest] = linuxStat(pid);
    // A zombie keeps its process id but holds no other resources.
    return state === undefined || state === 'Z' ? undefined : rest[18];
  }
  return process.platform === 'win32' ? '' : output('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** Whether this process is a PostgreSQL server of this directory. */
export function servesDirectory(pid: number, directory: string): boolean {
  if (!processExists(pid)) return false;
  if (process.platform === 'win32') return output('tasklist', ['/FI', `PID eq ${pid}`, '/NH']).includes('postgres');
  if (process.platform !== 'linux') {
    const command = output('ps', ['-o', 'command=', '-p', String(pid)]);
    return command.includes('postgres') && command.includes(directory);
  }
  try {
    // The name may end with " (deleted)" after a new installation.
    if (!basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres')) return false;
    const [actual, expected] = [statSync(`/proc/${pid}/cwd`), statSync(directory)];
    return actual.ino === expected.ino && actual.dev === expected.dev;
  } catch {
    return false;
  }
}

/** Whether a process that served this directory is still running; cheap enough to be called often. */
export function stillServes(pid: number, directory: string): boolean {
  // Exact on Linux, where a zombie process still exists; on other systems, that would start a program each time.
  return process.platform === 'linux' ? servesDirectory(pid, directory) : processExists(pid);
}

function linuxStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function output(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
