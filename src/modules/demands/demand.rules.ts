import type { QuorumAction } from '../resources/quorum.rules.js';
import type { Demand } from './demand.entity.js';
import type { DemandStatus } from './demand.lifecycle.js';

/** The columns that a status change sets besides the status (spec 05). */
export function effectsOf(to: DemandStatus, now: Date, reason: string | null): Partial<Demand> {
  return {
    status: to,
    fulfilledAt: to === 'fulfilled' ? now : null,
    canceledAt: to === 'canceled' ? now : null,
    canceledReason: to === 'canceled' ? reason : null,
  };
}

/** Whether the demand was over and is taken up again. */
export const isReopening = (from: DemandStatus, to: DemandStatus): boolean => isOver(from) && !isOver(to);

/** Which rule of a team's quorum a move to that status falls under. */
export function quorumOf(to: DemandStatus): QuorumAction {
  if (to === 'canceled') return 'cancel';
  return to === 'fulfilled' ? 'fulfill' : 'default';
}

/** Whether moving there is for the people behind the demand alone. */
export const isOver = (status: DemandStatus): boolean => status === 'fulfilled' || status === 'canceled';
