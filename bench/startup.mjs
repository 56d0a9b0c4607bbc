import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, ROOT, startServer } from './processes.mjs';

const WARM_STARTS = 3;
const STARTED_MS = 5_000;
/** V8 frees memory after about 30 s without activity. */
const IDLE_MS = 60_000;

/** Measures how soon the service is ready on its embedded database, and how much memory it uses while idle. */
export async function measureStartup() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-bench-start-'));
  // PostgreSQL does not run as root, and its user needs access to this folder.
  chmodSync(DATA_DIR, 0o755);
  try {
    const first = await startServer('dist/main.js', { DATA_DIR, MAIL: 'files' });
    await first.stop();
    const warm = [];
    for (let n = 0; n < WARM_STARTS; n += 1) warm.push(await startOnce(DATA_DIR, n === 0));
    const [{ startedMb, idleMb }] = warm;
    const warmMs = warm.map(({ readyMs }) => readyMs).sort((a, b) => a - b)[WARM_STARTS >> 1];
    return { coldMs: first.readyMs, warmMs, startedMb, idleMb, modulesMb: productionSize() / 2 ** 20 };
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

async function startOnce(DATA_DIR, waits) {
  const { pid, readyMs, stop } = await startServer('dist/main.js', { DATA_DIR, MAIL: 'files' });
  if (waits) await pause(STARTED_MS);
  const startedMb = memoryOf(pid);
  if (waits) await pause(IDLE_MS - STARTED_MS);
  const idleMb = memoryOf(pid);
  await stop();
  return { readyMs, startedMb, idleMb };
}

/** The size in bytes of the installed packages that production needs according to the lock file. */
function productionSize() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .reduce((sum, [path]) => sum + sizeOf(join(ROOT, path)), 0);
}

/** The size of a package without its nested packages, which have separate entries. */
function sizeOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && entry.name !== 'node_modules')
    .reduce((sum, { name }) => sum + sizeOf(join(path, name)), 0);
}
