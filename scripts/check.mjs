/** `npm run check`: every check that needs no running service. All of them run, even after a failure. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { duplicateExports } from './exported-names.mjs';
import { phaseFaults, readMigrations, readSources, unnamedColumns } from './schema-changes.mjs';
import { readFeatures, sqlViolations } from './sql-placement.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const AT_ONCE = 2;
const SOURCES = ['src', 'explorer', 'test', 'scripts', 'bench', 'ormconfig.ts'];

const gates = [
  ['types', tool('@typescript/native/bin/tsc', '--noEmit')],
  [
    'imports',
    tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src', 'test'),
  ],
  ['lint', tool('oxlint/bin/oxlint', '--type-aware', ...SOURCES)],
  ['dead code', tool('knip/bin/knip.js')],
  ['format', tool('prettier/bin/prettier.cjs', '--check', '--no-error-on-unmatched-pattern', ...SOURCES)],
  ['lock file', checkLockFile],
  ['sql', checkSql],
  ['upgrades', checkUpgrades],
  ['defects', checkDefects],
  ['names', checkNames],
];

/** Runs the program of an installed package as a check; exit code 0 passes. */
function tool(path, ...args) {
  return () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      child.once('error', (error) => resolve({ passed: false, output: error.message }));
      child.once('close', (code) => resolve({ passed: code === 0, output }));
    });
}

/**
 * Finds what makes `npm ci` fail on another machine: addresses of one registry, and optional packages that npm dropped.
 */
function checkLockFile() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const faults = Object.entries(packages).flatMap(([path, entry]) => [
    ...(entry.resolved?.startsWith('http') ? [`${path} is tied to ${entry.resolved}`] : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path || 'package.json'} names ${name}, which has no entry`),
  ]);
  return { passed: faults.length === 0, output: faults.join('\n') };
}

/** Checks that SQL is only in the repositories, views and lists of its own feature. */
function checkSql() {
  const faults = sqlViolations(readFeatures(root));
  return { passed: faults.length === 0, output: faults.join('\n') };
}

/** Checks that the previous release can go on working on the schema of this one (docs/upgrades.md). */
function checkUpgrades() {
  const faults = [...phaseFaults(readMigrations(root)), ...unnamedColumns(readSources(root))];
  return { passed: faults.length === 0, output: faults.join('\n') };
}

/** No name is exported twice. */
function checkNames() {
  const faults = duplicateExports(root);
  return { passed: faults.length === 0, output: faults.join('\n') };
}

/**
 * Every defect of `npm run resilience -- sabotage` changes exactly one place that runs: one that no longer applies proves
 * nothing, nor does one of a declaration, because migrations make the database.
 */
async function checkDefects() {
  const { DEFECTS, editsOf } = await import('../test/faults/sabotage/defects.mjs');
  const faults = DEFECTS.flatMap((defect) =>
    editsOf(defect)
      .filter(({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2)
      .map(({ file }) => `the defect "${defect.name}" does not apply to ${file} any more; change its text`),
  );
  const others = DEFECTS.filter((defect) => editsOf(defect).some(({ file }) => file.endsWith('.database.ts'))).map(
    ({ name }) => `the defect "${name}" changes a declaration; change the newest migration that has the statement`,
  );
  return { passed: faults.length + others.length === 0, output: [...faults, ...others].join('\n') };
}

/** Resolves a package as Node does: in the package's own node_modules, then in those above it. */
function isLocked(packages, path, name) {
  const parts = path === '' ? [] : path.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const above = parts.slice(0, depth).join('/node_modules/');
    if (packages[`${above ? `${above}/` : ''}node_modules/${name}`]) return true;
  }
  return false;
}

async function runGates(waiting) {
  let failures = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, check] = next;
    const begun = Date.now();
    const { passed, output } = await check();
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds} s\n`);
    if (passed) continue;
    failures += 1;
    process.stdout.write(`${output.trim()}\n\n`);
  }
  return failures;
}

const waiting = [...gates];
const failures = await Promise.all(Array.from({ length: AT_ONCE }, () => runGates(waiting)));
process.exitCode = failures.some((count) => count > 0) ? 1 : 0;
