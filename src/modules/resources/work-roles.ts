/** Whether a resource has work as assignee, as owner, or both. */
export const WORK_ROLES = ['assigned', 'owned'] as const;
export type WorkRole = (typeof WORK_ROLES)[number];
