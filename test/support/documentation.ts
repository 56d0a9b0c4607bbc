/** Brings up a site of its own, from its database on (test/platform/operations-page.deep.spec.ts). */
export const OPERATIONS = 'docs/operations.md';

/** The blocks of a page that are to be pasted into a shell. */
export const blocksOf = (page: string): string[] =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script]) => script);
