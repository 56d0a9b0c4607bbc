import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FLAGS } from '../scripts/flags.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PATIENCE_MS = 60_000;
const running = new Set();

/** Starts a program of node and waits until it is ready. Its standard output is discarded. */
export async function startServer(program, env) {
  const port = await freePort();
  const begun = performance.now();
  const loader = program.endsWith('.ts') ? ['--import', './scripts/typescript-loader.mjs'] : [];
  const child = spawn(process.execPath, [...FLAGS, ...loader, join(ROOT, program)], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await untilReady(child, port, program);
  return { pid: child.pid, port, readyMs: performance.now() - begun, stop: () => stop(child) };
}

async function untilReady(child, port, program) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
  }
  throw new Error(`${program} did not become ready`);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

export const stopAll = () => Promise.all([...running].map(stop));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process has used; undefined if the system does not report it. */
export function processorSeconds(pid) {
  const fields = statOf(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The processor time of PostgreSQL by process: of the server and of its child processes. */
export function databaseSeconds(postmaster) {
  if (!existsSync('/proc/self/stat')) return new Map();
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(postmaster),
  );
  return new Map([postmaster, ...children].map((pid) => [Number(pid), processorSeconds(pid) ?? 0]));
}

/** Seconds that all processors were busy, and that the hypervisor gave to other virtual machines. */
export function machineSeconds() {
  if (!existsSync('/proc/stat')) return { busy: NaN, stolen: NaN };
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , irq, softirq, steal] = line.split(/\s+/).slice(1).map(Number);
  return { busy: (user + nice + system + irq + softirq) / TICKS_PER_SECOND, stolen: steal / TICKS_PER_SECOND };
}

/** The fields of /proc/<pid>/stat after the name of the program: state, parent, and so on. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Resident memory in MB. */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}
