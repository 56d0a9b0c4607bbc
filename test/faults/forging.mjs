import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, ROOT } from './support/programs.mjs';

export const title = 'Compares random sequences of requests for tasks with a model of the Definition of Done.';

const AT_ONCE = 2;
/** Sequences per part. Each part has its own database, so that no database grows too large. */
const A_PART = 250;
const SPEC = 'test/forging/forging.deep.spec.ts';

/** `rounds` is the number of sequences; the sequences of a part have consecutive seeds. */
export async function run({ full, rounds = full ? 50_000 : 500, say }) {
  const seeds = Array.from({ length: Math.ceil(rounds / A_PART) }, (_, part) => 1 + part * A_PART);
  const parts = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const part = await play(seed, Math.min(A_PART, rounds - seed + 1));
      parts.push(part);
      say(
        `${parts.reduce((sum, { sequences }) => sum + sequences, 0)} sequences${part.passed ? '' : `\n${part.problem}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const failed = parts.filter(({ passed }) => !passed);
  const played = parts.reduce((sum, { sequences }) => sum + sequences, 0);
  return [
    { figure: 'sequences of 40 steps', reached: played, bar: rounds, passed: played === rounds },
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
    env: { ...process.env, FORGING_SEED: String(seed), FORGING_SEQUENCES: String(sequences) },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const { success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: success, sequences, problem: testResults[0]?.message };
}
