import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { Actor } from '../../platform/events/actor.js';
import type { TaskStatus } from '../../common/statuses.js';
import { ArchivedStates } from '../../platform/containment/archived-states.js';
import {
  ContainedResources,
  type EndingCause,
  type EndedBatch,
} from '../../platform/containment/contained-resources.js';
import type { OperationWork } from '../operations/operation-types.js';
import { ArchivesRepository } from './archives.repository.js';

/** The effects of archiving endeavours on their contents. */
export interface ArchiveImpact {
  endeavours: number;
  /** All tasks, by status. */
  tasks: Record<TaskStatus, number>;
  tasksToCancel: number;
  demandsToCancel: number;
  ritualsToDisable: number;
}

/** The time limit of a preview, which reads one snapshot so that its numbers are consistent. */
export const PREVIEW_SECONDS = 5;

/**
 * Archives and restores endeavours with their contents in batches; one endeavour, or all of an organization. The
 * preview counts what is then changed. The tally of the work has a count for each section.
 */
@Injectable()
export class ArchivesService {
  constructor(
    private readonly archives: ArchivesRepository,
    private readonly containedResources: ContainedResources,
    private readonly states: ArchivedStates,
  ) {}

  async impactOn(endeavourIds: readonly string[]): Promise<ArchiveImpact> {
    const tasks = await this.archives.countTasksByStatus(endeavourIds);
    const alive = await this.containedResources.countAlive(endeavourIds);
    return {
      endeavours: alive.endeavours ?? 0,
      tasks,
      tasksToCancel: alive.tasks ?? 0,
      demandsToCancel: alive.demands ?? 0,
      ritualsToDisable: alive.rituals ?? 0,
    };
  }

  /** The number of entities that archiving would change; for a large endeavour in half the time of the whole impact. */
  async total(endeavourIds: readonly string[]): Promise<number> {
    const alive = await this.containedResources.countAlive(endeavourIds);
    return Object.values(alive).reduce((sum, one) => sum + one, 0);
  }

  /** Archives some of what is alive; the endeavours must be closed to writers. */
  async archiveSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    { parameters, startedAt, tally }: OperationWork,
    { limit, organizationId }: { limit: number; organizationId?: string },
  ): Promise<number> {
    const cause: EndingCause = { reason: String(parameters.reason), now: startedAt, organizationId };
    return count(tally, await this.containedResources.endSome(actor, endeavourIds, cause, limit));
  }

  /** Restores some of what archiving has changed. */
  async restoreSome(
    actor: Caller | null,
    endeavourIds: readonly string[],
    { tally }: OperationWork,
    limit: number,
  ): Promise<number> {
    return count(tally, await this.containedResources.restoreSome(actor, endeavourIds, limit));
  }

  /** Forgets some of the states that were kept, of work that stays canceled. */
  forgetSome(endeavourIds: readonly string[], limit: number): Promise<number> {
    return this.states.forgetSome(endeavourIds, limit);
  }
}

function count(tally: OperationWork['tally'], some: EndedBatch | undefined): number {
  if (some === undefined) return 0;
  tally[some.section] = (tally[some.section] ?? 0) + some.count;
  return some.count;
}

/** What was restored, for the answer. */
export const restored = ({ tally }: OperationWork): Record<string, number> => ({
  tasks_restored: tally.tasks ?? 0,
  demands_restored: tally.demands ?? 0,
  rituals_restored: tally.rituals ?? 0,
});
