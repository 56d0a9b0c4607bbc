import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

/** Stops all processes of the run and removes its files. */
export default async function tearDown(): Promise<void> {
  const { processes = [], close } = globalThis.testRun ?? {};
  close?.();
  await Promise.all(processes.map(stop));
  rmSync(process.env.TEST_DIR ?? '', { recursive: true, force: true });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}
