/** `TEST_DEPTH=full npm run test:deep -- test/access` runs the checks of the access matrix that take too long for CI. */
export const isFull = process.env.TEST_DEPTH === 'full';

/** `npm run test:deep` runs all cases; `npm test` runs a sample, the same in every run. */
export const isDeep = isFull || process.env.TEST_DEPTH === 'deep';

/** Returns all items in a deep run, otherwise every `step`th one, starting at `offset`. */
export const sample = <T>(items: readonly T[], step: number, offset = 0): T[] =>
  items.filter((_, index) => isDeep || index % step === offset % step);

/** Returns a function that declares a test if `applies`, and does nothing otherwise. */
export const itIf = (applies: boolean): ((name: string, test: () => Promise<void>) => void) =>
  applies ? (name, test) => it(name, test) : () => undefined;
