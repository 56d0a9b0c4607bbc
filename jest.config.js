import './scripts/swc-cache.mjs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * On Node 20 jest cannot `require` an ES module, so tests run as CommonJS and every ESM-only
 * dependency is compiled along. The list is read from what is installed, so that it never goes stale.
 */
function esmPackages(directory, depth = 0, found = new Set()) {
  for (const name of readdirSync(directory)) {
    if (name.startsWith('.')) continue;
    const path = `${directory}/${name}`;
    if (name.startsWith('@')) {
      esmPackages(path, depth, found);
      continue;
    }
    const manifest = `${path}/package.json`;
    if (existsSync(manifest)) {
      const { name: packageName, type } = JSON.parse(readFileSync(manifest, 'utf8'));
      if (type === 'module') found.add(packageName);
    }
    if (depth < 2 && existsSync(`${path}/node_modules`)) esmPackages(`${path}/node_modules`, depth + 1, found);
  }
  return found;
}

/** Each worker has a process of the service beside it, and all of them share one PostgreSQL. */
const MOST_WORKERS = 8;

const names = [...esmPackages('./node_modules')].join('|');
const jsc = {
  target: 'es2023',
  transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  keepClassNames: true,
};

export default {
  rootDir: '.',
  testEnvironment: '<rootDir>/test/support/test-environment.ts',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/src/**/*.spec.ts'],
  // Those of `npm run test:deep` (jest.deep.config.js); one of them that is named runs all the same.
  testPathIgnorePatterns: process.argv.some((argument) => argument.includes('.deep')) ? [] : ['\\.deep\\.spec\\.ts$'],
  reporters: [['<rootDir>/test/support/progress-reporter.mjs', { checksAnswers: true }], 'summary'],
  testSequencer: '<rootDir>/test/support/long-first.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/environment.ts'],
  // A bound for what hangs. How long a test takes on a busy machine is no reason to fail it.
  testTimeout: 600_000,
  maxWorkers: Math.min(availableParallelism() + 1, MOST_WORKERS),
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: { ...jsc, parser: { syntax: 'typescript', decorators: true } },
        module: { type: 'commonjs' },
      },
    ],
    '^.+\\.m?js$': [
      '@swc/jest',
      { swcrc: false, jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(.+/node_modules/)?(${names})/)`],
};
