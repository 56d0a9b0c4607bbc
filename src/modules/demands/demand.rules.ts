import type { QuorumAction } from '../resources/quorums/quorum.rules.js';
import type { Demand } from './demand.entity.js';
import type { DemandStatus } from './demand.lifecycle.js';

/** Returns the columns that a status change sets (spec 05). */
export function demandEffectsOf(to: DemandStatus, now: Date, reason: string | null): Partial<Demand> {
  return {
    status: to,
    fulfilledAt: to === 'fulfilled' ? now : null,
    canceledAt: to === 'canceled' ? now : null,
    canceledReason: to === 'canceled' ? reason : null,
  };
}

/** Whether the transition reopens the demand. */
export const isDemandReopening = (from: DemandStatus, to: DemandStatus): boolean => isOver(from) && !isOver(to);

/** Returns the quorum action of a transition to that status. */
export function demandQuorumOf(to: DemandStatus): QuorumAction {
  if (to === 'canceled') return 'cancel';
  return to === 'fulfilled' ? 'fulfill' : 'default';
}

/** Whether the status ends the demand; only people responsible for the demand can set it. */
export const isOver = (status: DemandStatus): boolean => status === 'fulfilled' || status === 'canceled';
