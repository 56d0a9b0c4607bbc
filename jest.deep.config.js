import base from './jest.config.js';

// The suites that take a sample in `npm test` and everything here.
process.env.TEST_DEPTH = 'deep';

/** `npm run test:deep`: kills, attacks, histories, backups and the embedded database, in the size that CI runs. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.deep.spec.ts', '<rootDir>/test/access/matrix.spec.ts'],
  testPathIgnorePatterns: [],
  reporters: ['<rootDir>/test/support/progress-reporter.mjs', 'summary'],
};
