/** The reasons for an item in a working list, in the order of the list. */
export const WORK_REASONS = ['verdict', 'vote', 'claim', 'question', 'assigned'] as const;
export type WorkReason = (typeof WORK_REASONS)[number];

/** The types of items. */
export const WORK_TYPES = ['task', 'demand', 'ritual_run', 'message'] as const;

/** The length to which titles are shortened. */
export const MAX_TITLE_LENGTH = 100;
