import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';

export const GOAL_STATUSES = ['open', 'achieved', 'abandoned'] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

/** A goal of the endeavour, optionally linked to the entity that achieves it. */
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

/** The goal as it is kept in history: what it pointed at may be in another container. */
export const withoutLink = (goal: Goal): Goal => ({ ...goal, linked_entity_type: null, linked_entity_id: null });

/** Refuses an id of a goal that is not there to be kept, or that is kept twice. */
export function assertKept(goals: readonly SentGoal[], present: readonly Goal[]): void {
  const free = new Set(present.map(({ id }) => id));
  const faults = goals.flatMap(({ id }, index) =>
    id === undefined || free.delete(id) ? [] : [referenceNotFound(`goals.${index}.id`)],
  );
  if (faults.length > 0) throw invalidInput(faults);
}
