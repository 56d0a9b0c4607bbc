/** The reasons for an item in a working list, in its order: blocking others comes first. */
export const WHYS = ['verdict', 'vote', 'claim', 'question', 'assigned'] as const;
export type Why = (typeof WHYS)[number];

/** What is listed in one answer of bounded size. */
export const WORK_TYPES = ['task', 'demand', 'ritual_run', 'message'] as const;

export const LONGEST_TITLE = 100;
