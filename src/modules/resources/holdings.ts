/** Whether a resource has work as assignee, as owner, or both. */
export const HOLDINGS = ['assigned', 'owned'] as const;
export type Holding = (typeof HOLDINGS)[number];
