import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, ROOT } from './support/programs.mjs';

export const title = 'Runs each race of concurrent requests many times over four replicas.';

const REPLICAS = 4;
const MARK = ' (raced)';

/** Runs the races of all test files (test/support/races.ts), file by file. */
export async function run({ full, rounds = full ? 500 : 10, say }) {
  const races = [];
  for (const file of files()) {
    races.push(...(await racesOf(file, rounds)));
    say(`${file}: ${races.filter((each) => each.file === file).length} races`);
    for (const { name, passed, problem } of races) if (!passed) say(`${name}\n${problem}`);
  }
  return figuresOf(races, rounds);
}

/** The test files that have races. */
export function files() {
  const all = readdirSync(join(ROOT, 'test'), { recursive: true }).filter((name) => name.endsWith('.spec.ts'));
  return all
    .map((name) => join('test', name))
    .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("/support/races.js'"));
}

/** Runs the races of one file. */
export async function racesOf(file, rounds) {
  const report = join(temporaryFolder('races'), 'report.json');
  const jest = ['node_modules/jest/bin/jest.js', file, '-t', '\\(raced\\)', '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', ...jest], {
    cwd: ROOT,
    env: { ...process.env, RACE_ROUNDS: String(rounds), TEST_REPLICAS: String(REPLICAS) },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const [{ assertionResults, status, message }] = JSON.parse(readFileSync(report, 'utf8')).testResults;
  const races = assertionResults.filter(({ title: name }) => name.endsWith(MARK));
  // The hooks of a file can fail, too, without a failed test.
  if (races.length === 0 || (status === 'failed' && races.every((race) => race.status === 'passed'))) {
    throw new Error(`${file} fails beside its races:\n${message}`);
  }
  return races.map((race) => ({
    file,
    name: race.fullName.replace(MARK, ''),
    passed: race.status === 'passed',
    problem: race.failureMessages[0],
  }));
}

/** The results of the races. */
export function figuresOf(races, rounds) {
  const lost = races.filter(({ passed }) => !passed).map(({ name }) => name);
  const total = (races.length - lost.length) * rounds;
  return [
    { figure: `races over ${REPLICAS} replicas`, reached: races.length, bar: '> 0', passed: races.length > 0 },
    { figure: 'rounds of each', reached: rounds, bar: rounds, passed: true },
    { figure: 'rounds in all', reached: total, bar: races.length * rounds, passed: lost.length === 0 },
    { figure: 'races that broke a rule', reached: lost.join('; ') || 0, bar: '0', passed: lost.length === 0 },
  ];
}
