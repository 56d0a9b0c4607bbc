import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../common/start-error.js';
import type { Binaries } from './binaries.js';
import { serverEnvironment } from './cluster.js';
import { chooseEndpoint, openEndpoint, type Endpoint } from './endpoint.js';
import { serverFailure } from './failures.js';
import { give, type Home } from './home.js';
import { findServer, readPidFile } from './pid-file.js';
import { servesDirectory, stillServes } from './processes.js';
import { serverArguments } from './settings.js';

const START_BUDGET = 15_000;
const RECOVERY_BUDGET = 60_000;
const SHUTDOWN_BUDGET = 30_000;
const LARGEST_LOG = 10_000_000;

/** What is needed to start one server. */
export interface Launch {
  home: Home;
  binaries: Binaries;
  unsafe: boolean;
}

/** A server that accepts connections. */
export interface Postmaster {
  pid: number;
  endpoint: Endpoint;
  adopted: boolean;
}

/**
 * The running server of this home, or a new one at this or another address; retries for 15 seconds, and allows a minute
 * for crash recovery.
 */
export async function obtainPostmaster(
  launch: Launch,
  address: Endpoint | undefined,
  signal: AbortSignal,
): Promise<Postmaster> {
  const { home } = launch;
  const begun = Date.now();
  let complaint = '';
  while (Date.now() - begun < START_BUDGET) {
    const offset = logSize(home);
    const living = await findServer(home.cluster);
    const pid = living?.pid ?? (await startServer(launch, address ?? (await chooseEndpoint(home))));
    const endpoint = await becomesReady(home, pid, signal).catch(async (error: unknown) => {
      await stopPostmaster(pid, launch);
      throw error;
    });
    if (endpoint) return { pid, endpoint, adopted: living !== undefined };
    complaint = logSince(home, offset) || complaint;
    await sleep(100, undefined, { signal });
  }
  throw serverFailure(`PostgreSQL did not start within ${START_BUDGET / 1000} s in`, complaint, home.directory);
}

/** Stops the server as fast as a clean shutdown allows; kills it only if it does not respond. */
export async function stopPostmaster(
  pid: number,
  { home, binaries }: Pick<Launch, 'home' | 'binaries'>,
): Promise<void> {
  if (!servesDirectory(pid, home.cluster)) return;
  // SIGTERM would wait for every client to leave. Windows has no such signals.
  if (process.platform === 'win32') execFileSync(binaries.control, ['stop', '-D', home.cluster, '-m', 'fast']);
  else process.kill(pid, 'SIGINT');
  if (await ends(pid, home, SHUTDOWN_BUDGET)) return;
  process.kill(pid, 'SIGQUIT');
  if (await ends(pid, home, SHUTDOWN_BUDGET)) return;
  throw new StartError(`PostgreSQL (process ${pid}) did not stop.`);
}

async function startServer({ home, binaries, unsafe }: Launch, endpoint: Endpoint): Promise<number> {
  openEndpoint(endpoint, home);
  if (logSize(home) > LARGEST_LOG) renameSync(home.serverLog, `${home.serverLog}.1`);
  const output = openSync(home.serverLog, 'a', 0o600);
  give(home.serverLog, home.account);
  try {
    // Detached, so that Ctrl-C reaches only the service, which stops the server after its last request.
    const child = spawn(binaries.postgres, serverArguments(home, endpoint, unsafe), {
      ...home.account,
      cwd: home.cluster,
      env: serverEnvironment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', output, output],
    });
    child.unref();
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => resolve(child.pid ?? 0));
    });
  } finally {
    closeSync(output);
  }
}

/** The address of the server once it accepts connections; undefined if it exited first. */
async function becomesReady(home: Home, pid: number, signal: AbortSignal): Promise<Endpoint | undefined> {
  const deadline = Date.now() + RECOVERY_BUDGET;
  while (Date.now() < deadline) {
    const state = readPidFile(home.cluster);
    if (state?.pid === pid && state.ready) return state.endpoint;
    await sleep(10, undefined, { signal });
    if (!stillServes(pid, home.cluster)) return undefined;
  }
  throw new StartError(`PostgreSQL (process ${pid}) was not ready after ${RECOVERY_BUDGET / 1000} s.`);
}

async function ends(pid: number, home: Home, budget: number): Promise<boolean> {
  const deadline = Date.now() + budget;
  while (stillServes(pid, home.cluster)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

function logSize({ serverLog }: Home): number {
  return statSync(serverLog, { throwIfNoEntry: false })?.size ?? 0;
}

function logSince({ serverLog }: Home, offset: number): string {
  return existsSync(serverLog) ? readFileSync(serverLog).subarray(offset).toString('utf8').trim().slice(-2000) : '';
}
