import type { AuthorizedResource } from '../../access/authorized-resource.js';
import { snakeCase } from '../../common/texts/case.js';
import { invalidField } from '../../common/errors.js';
import type { JsonRecord } from '../../common/texts/json.js';
import type { QuorumAction } from '../resources/quorums/quorum.rules.js';
import type { Task } from './task.entity.js';
import { taskLifecycle, type TaskStatus } from './task.lifecycle.js';

type Fields = Pick<Task, 'startedAt' | 'actual'>;

/**
 * The columns that a status change sets besides the status (spec 05). `hours` is the time spent in active, used if
 * `actual` is not set.
 */
export function taskEffectsOf(
  task: Fields,
  to: TaskStatus,
  now: Date,
  hours: number,
  reason: string | null,
): Partial<Task> {
  const cleared: Partial<Task> = { status: to, completedAt: null, canceledAt: null, canceledReason: null };
  switch (to) {
    case 'active':
      return { ...cleared, startedAt: task.startedAt ?? now };
    case 'done':
      return { ...cleared, completedAt: now, actual: task.actual ?? Math.round(hours * 10) / 10 };
    case 'canceled':
      return { ...cleared, canceledAt: now, canceledReason: reason };
    case 'planned':
      return cleared;
  }
}

/** Rejects hours other than the sum of the time entries of the task, if it has any. */
export function assertMaySetActual({ actual, loggedMinutes = null }: Task, sent: number | null | undefined): void {
  if (loggedMinutes === null || sent === undefined || sent === actual) return;
  throw invalidField('actual', 'read_only', 'actual is the sum of the time entries of the task; change those.');
}

/** Whether the task is done because its content met the policy or was accepted without. */
export const restsOnContent = ({ dodResult }: Pick<Task, 'dodResult'>): boolean =>
  dodResult === 'met' || dodResult === 'overridden' || dodResult === 'changed';

/** Whether the status is done or canceled. */
export const isClosed = (status: TaskStatus): boolean => status === 'done' || status === 'canceled';

/** Whether the transition reopens the task. */
export const isTaskReopening = (from: TaskStatus, to: TaskStatus): boolean => isClosed(from) && !isClosed(to);

/** The quorum rule of a transition to that status. */
export const taskQuorumOf = (to: TaskStatus): QuorumAction => (to === 'canceled' ? 'cancel' : 'default');

/** The condition for canceling a task, for messages. */
export const TO_CANCEL =
  'the admin role in this endeavour, or to be the creator, the owner, or an assignee who was assigned by ' +
  'another person';

/** A status, and the reasons why the task cannot get it. */
export interface Transition {
  status: TaskStatus;
  allowed: boolean;
  reasons: { code: string; message: string }[];
}

/** All reasons against the transition, except those of the guards. */
export function obstacles(
  task: Task,
  {
    containerStatus,
    closedBy,
    rank,
    mayCancel,
  }: { rank: number; mayCancel: boolean } & Pick<AuthorizedResource, 'containerStatus' | 'closedBy'>,
  to: TaskStatus,
): Transition['reasons'] {
  const conditions: [boolean, string, string][] = [
    [
      !taskLifecycle.allows(task.status, to),
      'invalid_transition',
      `The status cannot change from ${task.status} to ${to}.`,
    ],
    [rank < 2, 'forbidden', 'You need the member role in this endeavour.'],
    [closedBy !== null, 'in_progress', 'An operation is running on the endeavour; try again after it has finished.'],
    [containerStatus === 'archived', 'archived', 'The endeavour is archived.'],
    [containerStatus === 'completed' && isTaskReopening(task.status, to), 'completed', 'The endeavour is completed.'],
    [to === 'canceled' && rank >= 2 && !mayCancel, 'forbidden', `You need ${TO_CANCEL}.`],
  ];
  return conditions.filter(([applies]) => applies).map(([, code, message]) => ({ code, message }));
}

/** Whether the patch may complete the task's previous endeavour, because the task is closed or moved away. */
export const mayComplete = (
  row: Pick<Task, 'endeavourId'>,
  { status, endeavourId = row.endeavourId }: Partial<Task>,
): boolean => status === 'done' || status === 'canceled' || endeavourId !== row.endeavourId;

/** The task after the patch, by column name. */
export function merged(row: Task, changes: Partial<Task>): JsonRecord & { id: string; status: TaskStatus } {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  const entries = [...Object.entries(row), ...sent].map(([property, value]) => [snakeCase(property), value]);
  return Object.fromEntries(entries) as JsonRecord & { id: string; status: TaskStatus };
}
