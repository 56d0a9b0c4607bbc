import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, ROOT } from './support/programs.mjs';

export const title =
  'Compares random requests of members, admins and owners of three organizations with a model of ownership.';

const AT_ONCE = 2;
/** Steps per part. Each part starts with a new database and new users. */
const A_PART = 2_000;
const SPEC = 'test/ownership/ownership.spec.ts';

/** `rounds` is the number of steps; each part has its own seed. */
export async function run({ full, rounds = full ? 100_000 : 4_000, say }) {
  const seeds = Array.from({ length: Math.ceil(rounds / A_PART) }, (_, part) => part + 1);
  const parts = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const part = await play(seed, Math.min(A_PART, rounds - (seed - 1) * A_PART));
      parts.push(part);
      say(`${parts.reduce((sum, { steps }) => sum + steps, 0)} steps${part.passed ? '' : `\n${part.problem}`}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const failed = parts.filter(({ passed }) => !passed);
  const played = parts.reduce((sum, { steps }) => sum + steps, 0);
  return [
    { figure: 'steps, each compared with the model', reached: played, bar: rounds, passed: played === rounds },
    { figure: 'parts with a difference', reached: failed.length, bar: '0', passed: failed.length === 0 },
  ];
}

async function play(seed, steps) {
  const report = join(temporaryFolder(`ownership-${seed}`), 'report.json');
  const jest = ['node_modules/jest/bin/jest.js', SPEC, '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', ...jest], {
    cwd: ROOT,
    env: { ...process.env, OWNERSHIP_SEED: String(seed), OWNERSHIP_STEPS: String(steps) },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const { success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: success, steps, problem: testResults[0]?.message };
}
