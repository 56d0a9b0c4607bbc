/** The kinds whose lists can be saved. */
export const LISTED_KINDS = ['task', 'demand'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];
