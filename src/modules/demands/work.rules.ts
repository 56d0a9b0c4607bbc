import { conflict, invalidField } from '../../common/errors.js';
import { resolveDateOrDateTime } from '../../common/time.js';

/** The caller's rank in the endeavour, with the caller's own resource and teams. */
export interface WorkRoles {
  /** 1 (viewer) to 4 (owner). */
  rank: number;
  mine: readonly string[];
}

/** What demands and tasks say of the people behind them. */
interface Answerable {
  ownerId: string;
  creatorId: string;
}

/** Whether the caller may hand the work to another owner. */
export function maySetOwner({ ownerId, creatorId }: Answerable, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || mine.includes(ownerId) || mine.includes(creatorId);
}

/** Whether the caller may end the work: cancel a task, cancel or fulfil a demand. */
export function mayEnd({ ownerId, creatorId }: Answerable, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || [ownerId, creatorId].some((id) => mine.includes(id));
}

/** A reason is there exactly when the work is, or becomes, canceled. */
export function assertReason(status: string, before: string | null, sent: string | null | undefined): void {
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

/** In a completed endeavour nothing is reopened. */
export function assertNotReopened(containerStatus: string | null, isReopened: boolean): void {
  if (containerStatus === 'completed' && isReopened) {
    throw conflict('completed', 'The endeavour is completed; reopen it first.');
  }
}

/** The instant that a due date means; a whole day ends with its last second, in the zone that is asked for only then. */
export async function dueDateOf(
  sent: string | null | undefined,
  zone: () => Promise<string>,
): Promise<Date | null | undefined> {
  if (typeof sent !== 'string') return sent;
  const isDay = sent.length === 10;
  return resolveDateOrDateTime(sent, 'end', isDay ? await zone() : 'UTC');
}
