import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './programs.mjs';
import { Service } from './service.mjs';

const MONITOR = fileURLToPath(new URL('loop-monitor.mjs', import.meta.url));

/** What no request may exceed, in milliseconds of the processor. */
export const MAX_BLOCKED_MS = 50;

/** Starts a service with a monitor; `blocked` returns the longest block of its event loop since the previous call. */
export async function startMonitored(environment = {}) {
  const file = join(temporaryFolder('loop'), 'loop.json');
  const service = await Service.start({
    environment: { NODE_OPTIONS: `--import=${MONITOR}`, LOOP_FILE: file, ...environment },
  });
  return { service, blocked: () => blocked(service, file) };
}

async function blocked(service, file) {
  rmSync(file, { force: true });
  service.child.kill('SIGUSR2');
  while (!existsSync(file)) await pause(5);
  await pause(20);
  return JSON.parse(readFileSync(file, 'utf8'));
}
