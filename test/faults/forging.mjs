import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, ROOT } from './support/programs.mjs';

export const title = 'Compares random sequences of requests for tasks with a model of the Definition of Done.';

const AT_ONCE = 2;
/** Sequences per part. Each part has its own database, so that no database grows too large. */
const A_PART = 250;
/** A part ends after so many differences. */
const MOST_DIFFERENCES = 5;
const SPEC = 'test/forging/forging.deep.spec.ts';

/** The sequences have the seeds from 1 to `rounds`, or those of `only`, such as 2501-5000, which continues a run. */
export async function run({ full, only, rounds = full ? 10_000 : 500, say }) {
  const [first, last] = only === undefined ? [1, rounds] : only.split('-').map(Number);
  const wanted = last - first + 1;
  const seeds = Array.from({ length: Math.ceil(wanted / A_PART) }, (_, part) => first + part * A_PART);
  const parts = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const begun = Date.now();
      const part = await play(seed, Math.min(A_PART, last - seed + 1));
      parts.push(part);
      const seconds = Math.round((Date.now() - begun) / 1000);
      const found = part.passed ? 'no difference' : part.problem;
      say(`seeds ${seed} to ${seed + part.sequences - 1} in ${seconds} s: ${found}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const failed = parts.filter(({ passed }) => !passed);
  const played = parts.reduce((sum, { sequences }) => sum + sequences, 0);
  return [
    { figure: 'sequences of 40 steps', reached: played, bar: wanted, passed: played === wanted },
    {
      figure: 'parts with a task forged or wrongly refused',
      reached: failed.length,
      bar: '0',
      passed: failed.length === 0,
    },
  ];
}

async function play(seed, sequences) {
  const report = join(temporaryFolder(`forging-${seed}`), 'report.json');
  const jest = ['node_modules/jest/bin/jest.js', SPEC, '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', ...jest], {
    cwd: ROOT,
    env: {
      ...process.env,
      FORGING_SEED: String(seed),
      FORGING_SEQUENCES: String(sequences),
      FORGING_DIFFERENCES: String(MOST_DIFFERENCES),
    },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const { success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: success, sequences, problem: testResults[0]?.message };
}
