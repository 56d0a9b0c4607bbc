import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './support/programs.mjs';

export const title =
  'Sends requests generated from the OpenAPI document: valid, mutated, and with inputs that often break services.';

const SHORT = 20_000;
const FULL = 1_000_000;
/** Requests per process, and seeds per process: the requests that share a database share a seed. */
const PIECE = 50_000;
const SEEDS_PER_PIECE = 100;

/** Sends the requests in pieces, and adds up their reports. */
export async function run({ full, say }) {
  const total = full ? FULL : SHORT;
  const reports = [];
  for (let done = 0; done < total; done += PIECE) {
    const report = await runPiece(Math.min(PIECE, total - done), 1 + reports.length * SEEDS_PER_PIECE);
    say(
      `seeds from ${report.seed}: ${report.requests} requests in ${report.seconds.passed} s, ${Object.values(report.faults).reduce((all, one) => all + one, 0)} faults`,
    );
    for (const finding of [...report.findings, ...report.slowOnes]) say(JSON.stringify(finding, null, 2));
    reports.push(report);
  }
  return figuresOf(reports, total);
}

async function runPiece(requests, seed) {
  const directory = mkdtempSync(join(tmpdir(), 'worksmith-fuzz-'));
  const file = join(directory, 'figures.json');
  const env = { ...process.env, FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed), FIGURES_FILE: file };
  const child = spawn(process.execPath, ['--max-old-space-size=4096', JEST, SPEC], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const JEST = 'node_modules/jest/bin/jest.js';
const SPEC = 'test/fuzz/fuzz.deep.spec.ts';
/** The kinds of findings in a report, and their names in the figures. */
const FAULTS = {
  'server error': 'responses 5xx',
  'outside the document': 'responses outside the document',
  'validator gap': 'invalid input that only the database rejected',
  'no answer': 'requests without an answer',
  'broken invariant': 'invariants of the database broken',
};

/** The totals of all reports, each with its limit. */
function figuresOf(reports, total) {
  const sum = (valueOf) => reports.reduce((all, report) => all + valueOf(report), 0);
  const requests = sum((report) => report.requests);
  const slowest = Math.max(...reports.map((report) => report.slowest));
  const none = (figure, reached) => ({ figure, reached: String(reached), bar: '0', passed: reached === 0 });
  return [
    { figure: 'requests', reached: String(requests), bar: String(total), passed: requests >= total },
    ...Object.entries(FAULTS).map(([fault, figure]) =>
      none(
        figure,
        sum((report) => report.faults[fault] ?? 0),
      ),
    ),
    none(
      `responses over 2 s (the slowest took ${slowest} ms)`,
      sum((report) => report.slow),
    ),
  ];
}
