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

/** Completes sent goals; a known id is kept, so that the goal keeps its identity. */
export function completeGoal(sent: SentGoal): Goal {
  return {
    id: sent.id ?? newId('goal'),
    title: sent.title,
    status: sent.status ?? 'open',
    linked_entity_type: sent.linked_entity_type ?? null,
    linked_entity_id: sent.linked_entity_id ?? null,
  };
}

/** The goal without its link, whose target may be in another container, for history. */
export const withoutLink = (goal: Goal): Goal => ({ ...goal, linked_entity_type: null, linked_entity_id: null });

/** Rejects unknown and repeated ids of goals. */
export function assertKept(goals: readonly SentGoal[], present: readonly Goal[]): void {
  const free = new Set(present.map(({ id }) => id));
  const faults = goals.flatMap(({ id }, index) =>
    id === undefined || free.delete(id) ? [] : [referenceNotFound(`goals.${index}.id`)],
  );
  if (faults.length > 0) throw invalidInput(faults);
}
