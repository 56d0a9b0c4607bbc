import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../common/start-error.js';
import type { Binaries } from './binaries.js';
import { serverEnvironment } from './cluster.js';
import { chooseEndpoint, openEndpoint, type Endpoint } from './endpoint.js';
import { serverFailure } from './failures.js';
import { changeOwner, type Home } from './home.js';
import { findServer, readPidFile } from './pid-file.js';
import { servesDirectory, stillServes } from './processes.js';
import { serverArguments } from './settings.js';

const START_TIMEOUT_MS = 15_000;
const RECOVERY_TIMEOUT_MS = 60_000;
const SHUTDOWN_TIMEOUT_MS = 30_000;
const MAX_LOG_BYTES = 10_000_000;

/** The configuration of one server. */
export interface ServerConfig {
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
 * Returns the running server of this directory, or starts one at the given or a new address. Retries for 15 seconds,
 * and allows a minute for crash recovery.
 */
export async function startOrAdoptPostmaster(
  config: ServerConfig,
  address: Endpoint | undefined,
  signal: AbortSignal,
): Promise<Postmaster> {
  const { home } = config;
  const startedAt = Date.now();
  let errorOutput = '';
  while (Date.now() - startedAt < START_TIMEOUT_MS) {
    const offset = logSize(home);
    const running = await findServer(home.cluster);
    const pid = running?.pid ?? (await startServer(config, address ?? (await chooseEndpoint(home))));
    const endpoint = await becomesReady(home, pid, signal).catch(async (error: unknown) => {
      await stopPostmaster(pid, config);
      throw error;
    });
    if (endpoint) return { pid, endpoint, adopted: running !== undefined };
    errorOutput = logSince(home, offset) || errorOutput;
    await sleep(100, undefined, { signal });
  }
  throw serverFailure(`PostgreSQL did not start within ${START_TIMEOUT_MS / 1000} s in`, errorOutput, home.directory);
}

/** Stops the server by a fast shutdown, or by an immediate one if it does not end in time. */
export async function stopPostmaster(
  pid: number,
  { home, binaries }: Pick<ServerConfig, 'home' | 'binaries'>,
): Promise<void> {
  if (!servesDirectory(pid, home.cluster)) return;
  // SIGINT, because SIGTERM would wait until every client has disconnected. Windows has no such signals.
  if (process.platform === 'win32') execFileSync(binaries.control, ['stop', '-D', home.cluster, '-m', 'fast']);
  else process.kill(pid, 'SIGINT');
  if (await hasEnded(pid, home, SHUTDOWN_TIMEOUT_MS)) return;
  process.kill(pid, 'SIGQUIT');
  if (await hasEnded(pid, home, SHUTDOWN_TIMEOUT_MS)) return;
  throw new StartError(`PostgreSQL (process ${pid}) did not stop.`);
}

async function startServer({ home, binaries, unsafe }: ServerConfig, endpoint: Endpoint): Promise<number> {
  openEndpoint(endpoint, home);
  if (logSize(home) > MAX_LOG_BYTES) renameSync(home.serverLog, `${home.serverLog}.1`);
  const output = openSync(home.serverLog, 'a', 0o600);
  changeOwner(home.serverLog, home.account);
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
  const deadline = Date.now() + RECOVERY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const state = readPidFile(home.cluster);
    if (state?.pid === pid && state.ready) return state.endpoint;
    await sleep(10, undefined, { signal });
    if (!stillServes(pid, home.cluster)) return undefined;
  }
  throw new StartError(`PostgreSQL (process ${pid}) was not ready after ${RECOVERY_TIMEOUT_MS / 1000} s.`);
}

/** Waits for the end of the server; false if it has not ended within the timeout. */
async function hasEnded(pid: number, home: Home, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
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
