import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The suites that take longer than a minute and a half on two cores, the longest first. Without measurements of an earlier
 * run, jest starts the largest files first, and a worker would run a short file with many tests alone at the end.
 */
const LONG = [
  'platform/production-path.deep',
  'fuzz/fuzz.deep',
  'platform/commands.deep',
  'platform/fresh-clone.deep',
  'access/matrix-2.deep',
  'access/matrix-3.deep',
  'platform/start-mistakes.deep',
  'access/matrix-4.deep',
  'access/matrix-1.deep',
  'platform/new-feature.deep',
  'platform/main.deep',
  'faults/operations.deep',
  'faults/upgrade.deep',
  'faults/imports.deep',
  'platform/take-over.deep',
  'faults/kills.deep',
  'platform/bench.deep',
  'forging/forging.deep',
  'access/matrix',
].map((name) => `test/${name}.spec.ts`);

/** Starts the longest suites first. */
export default class LongFirst extends TestSequencer {
  constructor(options) {
    super(options);
    const absent = LONG.filter((name) => !existsSync(name));
    if (absent.length > 0)
      throw new Error(`test/support/long-first.mjs names files that do not exist: ${absent.join(', ')}`);
  }

  sort(tests) {
    const place = ({ path, context }) => {
      const index = LONG.indexOf(relative(context.config.rootDir, path));
      return index === -1 ? LONG.length : index;
    };
    return super.sort(tests).toSorted((one, other) => place(one) - place(other));
  }
}
