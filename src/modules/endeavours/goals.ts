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

/** A goal in a request, of which only the title is required. */
type GoalInput = Partial<Goal> & { title: string };

/**
 * Adds the defaults to a goal in a request; the id of an existing goal is kept. A link that the caller cannot see, and so
 * cannot repeat, is kept too unless the request sets another one.
 */
export function completeGoal(input: GoalInput, hidden: readonly Goal[] = []): Goal {
  const kept = input.linked_entity_id ? undefined : hidden.find(({ id }) => id === input.id);
  return {
    id: input.id ?? newId('goal'),
    title: input.title,
    status: input.status ?? 'open',
    linked_entity_type: (kept ?? input).linked_entity_type ?? null,
    linked_entity_id: (kept ?? input).linked_entity_id ?? null,
  };
}

/** Removes the link of a goal for the change history, because its target can be in another container. */
export const withoutLink = (goal: Goal): Goal => ({ ...goal, linked_entity_type: null, linked_entity_id: null });

/** Rejects unknown and repeated ids of goals. */
export function assertGoalIds(goals: readonly GoalInput[], current: readonly Goal[]): void {
  const unused = new Set(current.map(({ id }) => id));
  const errors = goals.flatMap(({ id }, index) =>
    id === undefined || unused.delete(id) ? [] : [referenceNotFound(`goals.${index}.id`)],
  );
  if (errors.length > 0) throw invalidInput(errors);
}
