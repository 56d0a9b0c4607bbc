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
const HAS_VOTES = `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = own.id AND v.lapsed_at IS NULL) AS has_votes`;

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
  joins: `${lockDependents(`own.status IN ${changing}`)} LEFT JOIN resources owner ON owner.id = own.owner_id
    LEFT JOIN LATERAL (SELECT d.id, d.status FROM demands d WHERE d.id = own.demand_id FOR KEY SHARE) demand ON true`,
});

/** The same without locks. */
export const PREVIEW: ExtraColumns = {
  name: 'preview',
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status, ${HAS_VOTES}`,
  joins: `LEFT JOIN resources owner ON owner.id = own.owner_id LEFT JOIN demands demand ON demand.id = own.demand_id`,
};

export const CLOSING = standingsWith('closing', `('planned', 'active')`);
export const OPENING = standingsWith('opening', `('done', 'canceled')`);
