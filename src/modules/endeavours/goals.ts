import { newId } from '../../common/ids.js';

export const GOAL_STATUSES = ['open', 'achieved', 'abandoned'] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

/** Something the endeavour is to achieve; may point at the thing that achieves it. */
export interface Goal {
  id: string;
  title: string;
  status: GoalStatus;
  linked_entity_type: string | null;
  linked_entity_id: string | null;
}

/** A goal as clients send it: only the title is needed. */
export type SentGoal = Partial<Goal> & { title: string };

/** Completes what was sent; an id that came along is kept, so that a goal stays the same goal. */
export function completeGoal(sent: SentGoal): Goal {
  return {
    id: sent.id ?? newId('goal'),
    title: sent.title,
    status: sent.status ?? 'open',
    linked_entity_type: sent.linked_entity_type ?? null,
    linked_entity_id: sent.linked_entity_id ?? null,
  };
}
