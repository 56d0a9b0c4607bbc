import { conflict, invalidField } from '../../common/errors.js';
import { resolveDateOrDateTime } from '../../common/time.js';

/** The roles of the caller that decide about work. */
interface WorkRoles {
  /** The caller's rank in the endeavour, 1 (viewer) to 4 (owner). */
  rank: number;
  /** The ids of the caller's own resource and teams. */
  mine: readonly string[];
}

/** The people responsible for a demand or task. */
interface ResponsiblePeople {
  ownerId: string;
  creatorId: string;
}

/** Whether the caller may change the owner. */
export function maySetOwner({ ownerId, creatorId }: ResponsiblePeople, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || mine.includes(ownerId) || mine.includes(creatorId);
}

/** Whether the caller may end the work: cancel a task, cancel or fulfil a demand. */
export function mayEnd({ ownerId, creatorId }: ResponsiblePeople, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || [ownerId, creatorId].some((id) => mine.includes(id));
}

/** Requires a reason for canceled work, and rejects one for other work. */
export function assertCancelReason(status: string, current: string | null, requested: string | null | undefined): void {
  if (status !== 'canceled') {
    if (typeof requested === 'string') {
      throw invalidField(
        'canceled_reason',
        'invalid_value',
        'canceled_reason can be set only together with status canceled.',
      );
    }
    return;
  }
  const reason = requested === undefined ? current : requested;
  if (reason === null || reason.trim() === '') {
    throw invalidField('canceled_reason', 'required', 'Set canceled_reason to say why it is canceled.');
  }
}

/** Rejects the reopening of work in a completed endeavour. */
export function assertNotReopened(containerStatus: string | null, isReopened: boolean): void {
  if (containerStatus === 'completed' && isReopened) {
    throw conflict('completed', 'The endeavour is completed; reopen it first.');
  }
}

/**
 * Returns the time of a due date. A date without a time means the last second of that day in the time zone, which is
 * looked up only in this case.
 */
export async function dueDateOf(
  text: string | null | undefined,
  timezone: () => Promise<string>,
): Promise<Date | null | undefined> {
  if (typeof text !== 'string') return text;
  const isDay = text.length === 10;
  return resolveDateOrDateTime(text, 'end', isDay ? await timezone() : 'UTC');
}
