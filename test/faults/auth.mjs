import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timingFigures } from './support/timings.mjs';
import { ownFolder, ROOT } from './support/programs.mjs';

export const title =
  'Attacks signing in: guesses, single use, limits, stale rights, forged tokens, and what answers and time tell.';

/** Runs the attacks of test/attacks at their size, then measures at a service of its own whether time tells anything. */
export async function run({ full, say }) {
  const figures = await attacks(full, say);
  return [...figures, ...(await timingFigures({ full, say }))];
}

/** What the tests noted; they fail by themselves where an attack succeeds, which is a figure as well. */
async function attacks(full, say) {
  const file = join(ownFolder('figures'), 'figures.jsonl');
  const code = await jest({ FULL_SIZE: String(full), FIGURES_FILE: file }, say);
  const noted = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const ended = { figure: 'tests under test/attacks that failed', reached: code === 0 ? 0 : 'some', bar: 0 };
  return [{ ...ended, passed: code === 0 }, ...noted.map((line) => JSON.parse(line))];
}

function jest(environment, say) {
  const program = ['--max-old-space-size=4096', 'node_modules/jest/bin/jest.js', 'test/attacks'];
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => say(text.trimEnd()));
  }
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}
