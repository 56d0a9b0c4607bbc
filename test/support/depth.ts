/** `npm run test:deep` asks everything; `npm test` a sample of it, the same in every run. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** All of these where everything is asked; else every `step`th, beginning with the one at `offset`. */
export const sample = <T>(items: readonly T[], step: number, offset = 0): T[] =>
  items.filter((_, index) => isDeep || index % step === offset % step);

/** Declares a test where it applies, and none elsewhere. */
export const itWhere = (applies: boolean): ((name: string, test: () => Promise<void>) => void) =>
  applies ? (name, test) => it(name, test) : () => undefined;
