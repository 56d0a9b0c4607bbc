import { invalidInput, referenceNotFound } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';

export const GOAL_STATUSES = ['open', 'achieved', 'abandoned'] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

/** A goal of the endeavour, optionally linked to the entity that achieves it. */
export interface Goal {
  id: string;
  title: string;
  status: GoalStatus;
  linked_entity_type: string | null;
  linked_entity_id: string | null;
  /** The day by which it is to be achieved, `YYYY-MM-DD`; stored only if there is one. */
  due_day?: string | null;
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
    ...(typeof input.due_day === 'string' && { due_day: input.due_day }),
  };
}

/** Removes the link of a goal for the change history, because its target can be in another container. */
export const withoutLink = (goal: Goal): Goal => ({ ...goal, linked_entity_type: null, linked_entity_id: null });

/** The ids of goals that a request leaves out. */
export const removedGoalIds = (current: readonly Goal[], kept: readonly { id?: string }[]): string[] =>
  current.map(({ id }) => id).filter((id) => kept.every((goal) => goal.id !== id));

/** Describes `goal_id` of tasks and demands. */
export const GOAL_OF_WORK = 'A goal of the endeavour.';

/** Work of an endeavour that can serve one of its goals. */
interface Work {
  endeavourId: string;
  goalId?: string | null;
}

/**
 * The goal that a patch gives to work that is in the endeavour afterwards; undefined if it does not change. Goals belong to
 * their endeavour, so work that leaves it has none.
 */
export function changedGoal(
  sent: string | null | undefined,
  work: Work,
  endeavourId = work.endeavourId,
): string | null | undefined {
  if (endeavourId !== work.endeavourId) return sent ?? null;
  return sent === (work.goalId ?? null) ? undefined : sent;
}

/** Rejects unknown and repeated ids of goals. */
export function assertGoalIds(goals: readonly GoalInput[], current: readonly Goal[]): void {
  const unused = new Set(current.map(({ id }) => id));
  const errors = goals.flatMap(({ id }, index) =>
    id === undefined || unused.delete(id) ? [] : [referenceNotFound(`goals.${index}.id`)],
  );
  if (errors.length > 0) throw invalidInput(errors);
}
