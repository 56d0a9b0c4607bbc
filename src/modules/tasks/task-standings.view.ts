import { isVotedOn } from '../resources/quorum-votes.view.js';
import { leftJoinResource } from '../../access/people.view.js';
import { leftJoinDemand, leftJoinLockedDemand } from '../demands/demand-references.view.js';
import type { ExtraColumns } from '../../access/access.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import { lockDependents } from '../dependencies/dependencies.repository.js';

/** What is read of a task besides its row. */
export interface StandingsRow {
  standing_owner: string | null;
  standing_votes: boolean;
  standing_demand: string | null;
  standing_status: DemandStatus | null;
  has_votes: boolean;
}

/** Whether a team has begun to vote on the task, which concerns who changes what is voted on. */
const HAS_VOTES = `${isVotedOn('own.id')} AS has_votes`;

/** Only that. */
export const VOTES: ExtraColumns = { name: 'votes', columns: HAS_VOTES, joins: '' };

/**
 * How the demand of a task stands, which is kept from being fulfilled meanwhile, and whether its owner votes. Where the
 * task has a status in which it is closed or opened again by the move, the tasks that wait for it are locked with it.
 */
const standingsWith = (name: string, changing: string): ExtraColumns => ({
  name,
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status, dependents.held AS dependents_held, ${HAS_VOTES}`,
  joins: `${lockDependents(`own.status IN ${changing}`)} ${leftJoinResource('owner', 'own.owner_id')}
    ${leftJoinLockedDemand('demand', 'own.demand_id')}`,
});

/** The same without locks. */
export const PREVIEW: ExtraColumns = {
  name: 'preview',
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status, ${HAS_VOTES}`,
  joins: `${leftJoinResource('owner', 'own.owner_id')} ${leftJoinDemand('demand', 'own.demand_id')}`,
};

export const CLOSING = standingsWith('closing', `('planned', 'active')`);
export const OPENING = standingsWith('opening', `('done', 'canceled')`);
