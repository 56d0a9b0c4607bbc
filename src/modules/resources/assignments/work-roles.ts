/** The roles of a resource in work: assignee and owner. */
export const WORK_ROLES = ['assigned', 'owned'] as const;
export type WorkRole = (typeof WORK_ROLES)[number];

/** The resources of a task or demand; only tasks have an assignee. */
export interface WorkPeople {
  ownerId: string;
  creatorId: string;
  assigneeId?: string | null;
}
