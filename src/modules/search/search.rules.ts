/** What can be found, in the words of `types`. */
export const SEARCH_TYPES = [
  'task',
  'demand',
  'artifact',
  'comment',
  'message',
  'endeavour',
  'organization',
  'resource',
  'ritual',
  'template',
  'dod_policy',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Of each type at most so many matches are ranked: the newest. */
export const MOST_RANKED = 500;

/** Of each type so many of the newest are looked through for words that are too common to be looked up. */
export const MOST_SCANNED = 3_000;
