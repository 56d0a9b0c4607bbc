/** The roles of a resource in work: assignee and owner. */
export const WORK_ROLES = ['assigned', 'owned'] as const;
export type WorkRole = (typeof WORK_ROLES)[number];
