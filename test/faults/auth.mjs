import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timingFigures } from './support/timings.mjs';
import { temporaryFolder, ROOT } from './support/programs.mjs';

export const title =
  'Attacks authentication: guesses, single use, limits, stale rights, forged tokens, leaks by responses and timing.';

/** Runs the attacks of test/attacks, then measures on a separate service whether response times reveal accounts. */
export async function run({ full, say }) {
  const figures = await attacks(full, say);
  return [...figures, ...(await timingFigures({ full, say }))];
}

/** The figures that the tests recorded, and whether any of the tests failed: a test fails if its attack succeeds. */
async function attacks(full, say) {
  const file = join(temporaryFolder('figures'), 'figures.jsonl');
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
