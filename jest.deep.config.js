import base from './jest.config.js';

// The suites that take a sample in `npm test` and everything here.
process.env.TEST_DEPTH ??= 'deep';

/** They take a sample in `npm test` (test/support/depth.ts). */
const SAMPLED = [
  'test/access/{archived,references,conditional-reads}.spec.ts',
  'test/areas/{neighbours,search}.spec.ts',
  'test/ownership/ownership.spec.ts',
  'test/platform/ordinary-role.spec.ts',
];

/** `npm run test:deep`: kills, attacks, histories, backups and the embedded database, in the size that CI runs. */
export default {
  ...base,
  testMatch: ['test/**/*.deep.spec.ts', ...SAMPLED].map((pattern) => `<rootDir>/${pattern}`),
  testPathIgnorePatterns: [],
  reporters: ['<rootDir>/test/support/progress-reporter.mjs', 'summary'],
};
