import { execFileSync, fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { registerCleanup } from './opened.mjs';
import { temporaryFolder, ROOT } from './programs.mjs';

const LONGEST_MS = 600_000;
/** The time limit of a test, because a defect can make a test hang. */
const TEST_MS = 120_000;
/** The files that the outcome of a test can depend on. */
const RELEVANT = /^(src\/|explorer\/|deploy\/|test\/(?!faults\/)|package-lock|jest\.config|tsconfig)/;

/** Copies the sources of the project, and starts a database server that all runs of their tests share. */
export async function copyProject() {
  const folder = temporaryFolder('sabotage');
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const hash = createHash('sha256');
  for (const path of list
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
    if (RELEVANT.test(path)) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return new ProjectCopy(folder, await startPostgres(folder), hash.digest('hex').slice(0, 16));
}

/** Starts PostgreSQL as the global setup of jest does. */
async function startPostgres(folder) {
  const child = fork(join(folder, 'test/support/postgres.ts'), {
    cwd: folder,
    execArgv: ['--import', `file://${ROOT}/scripts/typescript-loader.mjs`],
    env: { ...process.env, TEST_DATABASE_DIR: temporaryFolder('sabotage-postgres') },
  });
  registerCleanup(async () => {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  });
  const [message] = await once(child, 'message');
  return JSON.stringify(message);
}

class ProjectCopy {
  constructor(folder, postgres, fingerprint) {
    this.folder = folder;
    this.postgres = postgres;
    this.results = join(folder, 'results.json');
    this.cacheFile = join(tmpdir(), `worksmith-sabotage-${fingerprint}.json`);
    this.cache = existsSync(this.cacheFile) ? JSON.parse(readFileSync(this.cacheFile, 'utf8')) : {};
  }

  /** The outcome of tests with these edits. Outcomes that are as wanted are kept until the sources change. */
  async outcomeOf(edits, plan, isWanted) {
    const key = createHash('sha256')
      .update(JSON.stringify([edits, plan]))
      .digest('hex');
    if (this.cache[key] !== undefined) return this.cache[key];
    // The shared server has the tables and triggers of the unchanged migrations.
    const postgres = edits.some(({ file }) => file.startsWith('src/migrations/')) ? undefined : this.postgres;
    const outcome = await this.withEdits(edits, () => this.test(plan, postgres));
    if (isWanted(outcome)) {
      this.cache[key] = outcome;
      writeFileSync(this.cacheFile, JSON.stringify(this.cache));
    }
    return outcome;
  }

  /** Whether the text of each edit occurs exactly once in its file. */
  canApply(edits) {
    return edits.every(({ file, find }) => readFileSync(join(this.folder, file), 'utf8').split(find).length === 2);
  }

  /** Applies the edits to the sources, calls `work`, and restores the sources. */
  async withEdits(edits, work) {
    const before = edits.map(({ file }) => [join(this.folder, file), readFileSync(join(this.folder, file), 'utf8')]);
    try {
      for (const { file, find, replace } of edits) {
        const path = join(this.folder, file);
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace(find, () => replace),
        );
      }
      return await work();
    } finally {
      for (const [path, text] of before) writeFileSync(path, text);
    }
  }

  /** Runs test files, or only the tests with these names in them; returns how many passed, and which failed. */
  async test({ files, tests = [] }, postgres) {
    rmSync(this.results, { force: true });
    const begun = performance.now();
    const names = tests.map((name) => name.replaceAll(/[^\w ,]/g, '.')).join('|');
    const flags = [
      '--runInBand',
      '--forceExit',
      '--silent',
      `--testTimeout=${TEST_MS}`,
      '--json',
      `--outputFile=${this.results}`,
    ];
    const jest = ['--max-old-space-size=4096', 'node_modules/jest/bin/jest.js', ...flags];
    const child = spawn(process.execPath, jest.concat(names === '' ? [] : ['-t', names], files), {
      cwd: this.folder,
      env: { ...process.env, ...(postgres !== undefined && { TEST_POSTGRES: postgres }) },
      stdio: 'ignore',
      timeout: LONGEST_MS,
    });
    await once(child, 'close');
    return { ...this.outcome(), seconds: Math.round((performance.now() - begun) / 1000) };
  }

  outcome() {
    if (!existsSync(this.results)) return { passed: 0, failed: [], unloaded: 1 };
    const { numPassedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(readFileSync(this.results, 'utf8'));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    return {
      passed: numPassedTests,
      failed: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      unloaded: numRuntimeErrorTestSuites,
    };
  }
}
