import { conflict, invalidField } from '../../common/errors.js';
import type { Task } from './task.entity.js';
import { taskLifecycle, type TaskStatus } from './task.lifecycle.js';

type Fields = Pick<Task, 'startedAt' | 'actual'>;

/**
 * What a move to a status writes beside the status (spec 05). `hours` is the time the task has spent in active,
 * taken over where nobody said what it really took.
 */
export function effectsOf(
  task: Fields,
  to: TaskStatus,
  now: Date,
  hours: number,
  reason: string | null,
): Partial<Task> {
  const left: Partial<Task> = { status: to, completedAt: null, canceledAt: null, canceledReason: null };
  switch (to) {
    case 'active':
      return { ...left, startedAt: task.startedAt ?? now };
    case 'done':
      return { ...left, completedAt: now, actual: task.actual ?? Math.round(hours * 10) / 10 };
    case 'canceled':
      return { ...left, canceledAt: now, canceledReason: reason };
    case 'planned':
      return left;
  }
}

/** Whether the caller, with these resources (their own and their teams'), may cancel the task. */
export function mayCancel(task: Task, rank: number, mine: readonly string[]): boolean {
  return rank >= 3 || [task.creatorId, task.ownerId, task.assigneeId].some((id) => id !== null && mine.includes(id));
}

/** Whether the caller may hand the task to another owner. */
export function maySetOwner(task: Task, rank: number, mine: readonly string[]): boolean {
  return rank >= 3 || mine.includes(task.ownerId) || mine.includes(task.creatorId);
}

/** A reason is there exactly when the task is, or becomes, canceled. */
export function assertReason(status: TaskStatus, before: string | null, sent: string | null | undefined): void {
  if (status !== 'canceled') {
    if (typeof sent === 'string') {
      throw invalidField('canceled_reason', 'invalid_value', 'canceled_reason goes with the status canceled only.');
    }
    return;
  }
  const reason = sent === undefined ? before : sent;
  if (reason === null || reason.trim() === '') {
    throw invalidField('canceled_reason', 'required', 'Say in canceled_reason why it is canceled.');
  }
}

/** In a completed endeavour nothing is reopened. */
export function assertNotReopened(containerStatus: string | null, from: TaskStatus, to: TaskStatus): void {
  const isReopened = ['done', 'canceled'].includes(from) && ['planned', 'active'].includes(to);
  if (containerStatus === 'completed' && isReopened) {
    throw conflict('completed', 'The endeavour is completed; reopen it before work goes on in it.');
  }
}

/** One status that a task could move to, and what keeps it from there. */
export interface Transition {
  status: TaskStatus;
  allowed: boolean;
  reasons: { code: string; message: string }[];
}

/** Everything that keeps somebody of that rank from moving the task to that status. */
export function obstacles(
  task: Task,
  { rank, containerStatus }: { rank: number; containerStatus: string | null },
  to: TaskStatus,
  mine: readonly string[],
): Transition['reasons'] {
  const isReopened = ['done', 'canceled'].includes(task.status);
  const conditions: [boolean, string, string][] = [
    [!taskLifecycle.allows(task.status, to), 'invalid_transition', `No move leads from ${task.status} to ${to}.`],
    [rank < 2, 'forbidden', 'This needs the role member in the endeavour.'],
    [containerStatus === 'archived', 'archived', 'The endeavour is archived.'],
    [containerStatus === 'completed' && isReopened, 'completed', 'The endeavour is completed.'],
    [
      to === 'canceled' && rank >= 2 && !mayCancel(task, rank, mine),
      'forbidden',
      'This needs admin of the endeavour, or being creator, owner or assignee of the task.',
    ],
  ];
  return conditions.filter(([holds]) => holds).map(([, code, message]) => ({ code, message }));
}
