/** The searchable types, as values of `types`. */
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

/** The number of newest matches per type that are ranked. */
export const MAX_RANKED = 500;

/** The number of newest rows per type that are scanned for words that are too common for the index. */
export const MAX_SCANNED = 3_000;
