/** The reasons for an item in a working list, in the order of the list. */
export const WHYS = ['verdict', 'vote', 'claim', 'question', 'assigned'] as const;
export type Why = (typeof WHYS)[number];

/** The types of items. */
export const WORK_TYPES = ['task', 'demand', 'ritual_run', 'message'] as const;

/** The length to which titles are shortened. */
export const LONGEST_TITLE = 100;
