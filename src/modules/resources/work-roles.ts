/** The roles of a resource in work: assignee and owner. */
export const WORK_ROLES = ['assigned', 'owned'] as const;
export type WorkRole = (typeof WORK_ROLES)[number];

/** The resources of a task or demand; only tasks have an assignee. */
export interface WorkPeople {
  ownerId: string;
  creatorId: string;
  assigneeId?: string | null;
}

/** The audience of an event of a task or demand whose data is not its representation. */
export const audienceOf = ({ ownerId, creatorId, assigneeId }: WorkPeople): string[] =>
  [assigneeId, ownerId, creatorId].filter((id) => typeof id === 'string');
