import { conflict, invalidField } from '../../common/errors.js';
import { resolveDateOrDateTime } from '../../common/time.js';

/** The caller's rank in the endeavour, with the caller's own resource and teams. */
export interface WorkRoles {
  /** 1 (viewer) to 4 (owner). */
  rank: number;
  mine: readonly string[];
}

/** The people responsible for a demand or task. */
interface Answerable {
  ownerId: string;
  creatorId: string;
}

/** Whether the caller may change the owner. */
export function maySetOwner({ ownerId, creatorId }: Answerable, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || mine.includes(ownerId) || mine.includes(creatorId);
}

/** Whether the caller may end the work: cancel a task, cancel or fulfil a demand. */
export function mayEnd({ ownerId, creatorId }: Answerable, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || [ownerId, creatorId].some((id) => mine.includes(id));
}

/** A reason is required for canceled work and rejected for other work. */
export function assertCancelReason(status: string, before: string | null, sent: string | null | undefined): void {
  if (status !== 'canceled') {
    if (typeof sent === 'string') {
      throw invalidField(
        'canceled_reason',
        'invalid_value',
        'canceled_reason can be set only together with status canceled.',
      );
    }
    return;
  }
  const reason = sent === undefined ? before : sent;
  if (reason === null || reason.trim() === '') {
    throw invalidField('canceled_reason', 'required', 'Set canceled_reason to say why it is canceled.');
  }
}

/** Work in a completed endeavour cannot be reopened. */
export function assertNotReopened(containerStatus: string | null, isReopened: boolean): void {
  if (containerStatus === 'completed' && isReopened) {
    throw conflict('completed', 'The endeavour is completed; reopen it first.');
  }
}

/** The instant of a due date; a whole day ends with its last second, in a time zone that is looked up only then. */
export async function dueDateOf(
  sent: string | null | undefined,
  zone: () => Promise<string>,
): Promise<Date | null | undefined> {
  if (typeof sent !== 'string') return sent;
  const isDay = sent.length === 10;
  return resolveDateOrDateTime(sent, 'end', isDay ? await zone() : 'UTC');
}
