import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the process is alive; a zombie is not. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !ps('stat=', '-p', String(pid)).trim().startsWith('Z');
  } catch {
    return false;
  }
}

/** The pids of the children of the process. */
export function childrenOf(pid) {
  return ps('pid=,ppid=', '-A')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);
}

/** Resident memory in bytes; 0 if the process has ended. */
export function residentMemory(pid) {
  try {
    return Number(ps('rss=', '-p', String(pid))) * 1024;
  } catch {
    return 0;
  }
}

/** Sends a signal to a process that may have ended. */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The embedded server of a data folder, read from its postmaster.pid; undefined if it is not running. */
export function postmasterOf(dataDir) {
  let lines;
  try {
    lines = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [pid, , , port, host] = lines;
  if (!Number(pid) || !isAlive(Number(pid))) return undefined;
  return { pid: Number(pid), connection: { host, port: Number(port), user: 'worksmith', database: 'worksmith' } };
}

const ps = (columns, ...more) => execFileSync('ps', [...more, '-o', columns], { encoding: 'utf8' });
