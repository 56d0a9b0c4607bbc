import type { ExtraColumns, LockedResource, LockedWithExtras } from '../../access/access.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import { lockDependents } from '../dependencies/dependents-lock.js';
import type { UpdateTaskDto } from './task.dto.js';
import type { Task } from './task.entity.js';
import { isClosed } from './task.rules.js';

/** Whether a team has begun to vote on the task, which concerns who changes what is voted on. */
const HAS_VOTES = `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = own.id AND v.lapsed_at IS NULL) AS has_votes`;

const VOTES: ExtraColumns = { name: 'votes', columns: HAS_VOTES, joins: '' };

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

const CLOSING = standingsWith('closing', `('planned', 'active')`);
const OPENING = standingsWith('opening', `('done', 'canceled')`);

interface StandingsRow {
  standing_owner: string | null;
  standing_votes: boolean;
  standing_demand: string | null;
  standing_status: DemandStatus | null;
  has_votes: boolean;
}

/** A task that may be moved. Both are undefined where they have to be looked up. */
export interface Movable extends LockedResource<Task> {
  ownerVotes?: boolean;
  demandHeldAs?: DemandStatus;
  /** A member has voted on a status change of the task. */
  hasVotes?: boolean;
  /** The hours that it was active; looked up where it is undefined. */
  hours?: number;
  /** Not locked; only to be asked what would be refused. */
  isPreview?: true;
  /** Answers that are the same for all tasks that are patched together. */
  answers?: Map<string, Promise<unknown>>;
}

/** Asks once for all tasks that are patched together. */
export function askOnce<T>({ answers }: Pick<Movable, 'answers'>, question: string, ask: () => Promise<T>): Promise<T> {
  const known = answers?.get(question) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const answer = ask();
  answers?.set(question, answer);
  return answer;
}

/** What a patch needs to know besides the row. */
export function standingsFor({ status, title, description, metadata }: UpdateTaskDto): ExtraColumns | undefined {
  if (status !== undefined) return isClosed(status) ? CLOSING : OPENING;
  return [title, description, metadata].some((sent) => sent !== undefined) ? VOTES : undefined;
}

export function movableOf({ beside, ...opened }: LockedWithExtras<Task>, read: ExtraColumns | undefined): Movable {
  if (read === undefined) return opened;
  const { has_votes: hasVotes, ...standings } = beside as unknown as StandingsRow;
  if (read === VOTES) return { ...opened, hasVotes };
  const { ownerId, demandId } = opened.row;
  const { standing_owner, standing_votes, standing_demand, standing_status } = standings;
  return {
    ...opened,
    hasVotes,
    ownerVotes: standing_owner === ownerId ? standing_votes : undefined,
    demandHeldAs: standing_demand === demandId ? (standing_status ?? undefined) : undefined,
  };
}
