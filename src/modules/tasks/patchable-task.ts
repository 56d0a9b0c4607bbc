import type { ExtraColumns, LockedResource, LockedWithExtras } from '../../access/access.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import type { Stage } from '../endeavours/stages/stages.js';
import type { UpdateTaskDto } from './task.dto.js';
import type { Task } from './task.entity.js';
import { isClosed } from './task.rules.js';
import { CLOSING, OPENING, VOTES, type ExtrasRow } from './patchable-task.view.js';

/** A task that is about to be patched. Optional values are looked up when they are needed. */
export interface PatchableTask extends LockedResource<Task> {
  /** Whether the owner is a team with a quorum. */
  ownerVotes?: boolean;
  /** The status of its demand, which is locked. */
  demandStatus?: DemandStatus;
  /** Whether a member has voted on a status change of the task. */
  hasVotes?: boolean;
  /** The stages of its endeavour; null if that has none. */
  stages?: readonly Stage[] | null;
  /** In a preview, how many of the tasks before it would enter each stage, by its id. */
  entered?: Record<string, number>;
  /** The hours that the task was active. */
  hours?: number;
  /** Set if the task is not locked, because the patch is only checked and not applied. */
  isPreview?: true;
  /** Results that are the same for all tasks of a bulk patch, by key. */
  cache?: Map<string, Promise<unknown>>;
}

/** Loads a value, at most once for all tasks of a bulk patch. */
export function loadOnce<T>({ cache }: Pick<PatchableTask, 'cache'>, key: string, load: () => Promise<T>): Promise<T> {
  const cached = cache?.get(key) as Promise<T> | undefined;
  if (cached !== undefined) return cached;
  const loading = load();
  cache?.set(key, loading);
  return loading;
}

/** The columns besides those of the task that a patch needs; read while the task is locked. */
export function extraColumnsFor({ status, title, description, metadata }: UpdateTaskDto): ExtraColumns | undefined {
  if (status !== undefined) return isClosed(status) ? CLOSING : OPENING;
  return [title, description, metadata].some((sent) => sent !== undefined) ? VOTES : undefined;
}

export function patchableTaskOf(
  { extras: columns, ...task }: LockedWithExtras<Task>,
  read: ExtraColumns | undefined,
): PatchableTask {
  if (read === undefined) return task;
  const { has_votes: hasVotes, endeavour_stages: stages, ...extras } = columns as unknown as ExtrasRow;
  if (read === VOTES) return { ...task, hasVotes };
  const { ownerId, demandId } = task.row;
  const { standing_owner, standing_votes, standing_demand, standing_status } = extras;
  return {
    ...task,
    hasVotes,
    stages,
    ownerVotes: standing_owner === ownerId ? standing_votes : undefined,
    demandStatus: standing_demand === demandId ? (standing_status ?? undefined) : undefined,
  };
}
