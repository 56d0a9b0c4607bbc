import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from './endpoint.js';
import { processExists, servesDirectory } from './processes.js';

/** The contents of `postmaster.pid`. */
export interface ServerState {
  pid: number;
  ready: boolean;
  endpoint: Endpoint;
}

/** The state that the last server of this directory wrote; the server may have ended since. */
export function readPidFile(cluster: string): ServerState | undefined {
  const [pid, , , port, socketDirectory, address, , status] = lines(cluster) ?? [];
  if (!Number(pid)) return undefined;
  return {
    pid: Number(pid),
    ready: status?.trim() === 'ready',
    endpoint: { host: socketDirectory || address || '', port: Number(port), socket: Boolean(socketDirectory) },
  };
}

/** The running server of this directory; a stale pid file that would prevent a start is removed. */
export async function findServer(cluster: string): Promise<ServerState | undefined> {
  // An empty file may have just been created by a server that has not written to it yet.
  if (lines(cluster) !== undefined && !readPidFile(cluster)) await sleep(200);
  const state = readPidFile(cluster);
  if (state && servesDirectory(state.pid, cluster)) return state;
  // The pid file of an ended server stays: PostgreSQL uses it to detect orphaned backends.
  if (!state || processExists(state.pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

function lines(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
}
