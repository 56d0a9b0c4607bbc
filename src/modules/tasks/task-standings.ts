import type { ExtraColumns, LockedResource, LockedWithExtras } from '../../access/access.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import type { UpdateTaskDto } from './task.dto.js';
import type { Task } from './task.entity.js';
import { isClosed } from './task.rules.js';
import { CLOSING, OPENING, VOTES, type StandingsRow } from './task-standings.view.js';

/** A task to be patched. Both are undefined if they have to be looked up. */
export interface Movable extends LockedResource<Task> {
  ownerVotes?: boolean;
  demandHeldAs?: DemandStatus;
  /** A member has voted on a status change of the task. */
  hasVotes?: boolean;
  /** The hours that it was active; looked up if undefined. */
  hours?: number;
  /** Not locked; only used to determine what would be rejected. */
  isPreview?: true;
  /** Caches results that are the same for all tasks of a bulk patch. */
  answers?: Map<string, Promise<unknown>>;
}

/** Looks a value up once for all tasks of a bulk patch. */
export function askOnce<T>({ answers }: Pick<Movable, 'answers'>, question: string, ask: () => Promise<T>): Promise<T> {
  const known = answers?.get(question) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const answer = ask();
  answers?.set(question, answer);
  return answer;
}

/** The extra columns that a patch needs. */
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
