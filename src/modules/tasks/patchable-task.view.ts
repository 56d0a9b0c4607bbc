import { isVotedOn } from '../resources/quorums/quorum-votes.view.js';
import { leftJoinResource } from '../../access/visibility/people.view.js';
import { leftJoinDemand, leftJoinLockedDemand } from '../demands/demand-references.view.js';
import type { ExtraColumns } from '../../access/access.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import type { Stage } from '../endeavours/stages/stages.js';
import { lockDependents } from '../dependencies/dependencies.repository.js';

/** The extra columns of a task: its owner, its demand, whether the owner votes, and the stages of its endeavour. */
export interface ExtrasRow {
  standing_owner: string | null;
  standing_votes: boolean;
  standing_demand: string | null;
  standing_status: DemandStatus | null;
  has_votes: boolean;
  endeavour_stages: Stage[] | null;
}

/** Whether a vote on the task has begun; it restricts who may change the content that is voted on. */
const HAS_VOTES = `${isVotedOn('own.id')} AS has_votes`;

/** Of the endeavour `c` that contains the task, which is read again after a wait for its lock. */
const STAGES = 'c.stages AS endeavour_stages';

/** For patches of the content: whether a vote has begun. */
export const VOTES: ExtraColumns = { name: 'votes', columns: HAS_VOTES, joins: '' };

/**
 * For status changes: the status of the demand, which is locked so that it cannot be fulfilled meanwhile, and whether
 * the owner votes. Dependent tasks are locked too if the task has one of the statuses `changing`, because the change
 * then blocks or unblocks them.
 */
const extraColumnsWith = (name: string, changing: string, locked: { withParents?: boolean } = {}): ExtraColumns => ({
  name,
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status, dependents.held AS dependents_held, ${HAS_VOTES}, ${STAGES}`,
  joins: `${lockDependents(`own.status IN ${changing}`, locked)} ${leftJoinResource('owner', 'own.owner_id')}
    ${leftJoinLockedDemand('demand', 'own.demand_id')}`,
});

/** For previews: the columns of status changes, without locks. */
export const PREVIEW: ExtraColumns = {
  name: 'preview',
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status, ${HAS_VOTES}, ${STAGES}`,
  joins: `${leftJoinResource('owner', 'own.owner_id')} ${leftJoinDemand('demand', 'own.demand_id')}`,
};

export const CLOSING = extraColumnsWith('closing', `('planned', 'active')`);
/** A task that contains it is locked too, so that it is not closed while a part of it is reopened. */
export const OPENING = extraColumnsWith('opening', `('done', 'canceled')`, { withParents: true });
