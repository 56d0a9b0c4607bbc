/** The kinds that people can watch. */
export const WATCHED_KINDS = ['task', 'demand', 'endeavour'] as const;
export type WatchedKind = (typeof WATCHED_KINDS)[number];
