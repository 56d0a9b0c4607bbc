import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { Actor } from '../../../platform/context/actor.js';
import type { TaskStatus } from '../../../common/statuses.js';
import { ArchivedStates } from '../../../platform/containment/archived-states.js';
import {
  ContainedResources,
  type EndingCause,
  type EndedBatch,
} from '../../../platform/containment/contained-resources.js';
import type { OperationWork } from '../../operations/operation-types.js';
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
 * Archives and restores one endeavour, or all endeavours of an organization, with their contents in batches. The tally
 * of the operation has a count for each section. A preview counts the entities that archiving would change.
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

  /**
   * The number of entities that archiving would change; takes half the time of {@link impactOn} for large endeavours.
   */
  async total(endeavourIds: readonly string[]): Promise<number> {
    const alive = await this.containedResources.countAlive(endeavourIds);
    return Object.values(alive).reduce((sum, n) => sum + n, 0);
  }

  /** Archives a batch of the open contents; the endeavours must reject other writes. */
  async archiveSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    { parameters, startedAt, tally }: OperationWork,
    { limit, organizationId }: { limit: number; organizationId?: string },
  ): Promise<number> {
    const cause: EndingCause = { reason: String(parameters.reason), now: startedAt, organizationId };
    return count(tally, await this.containedResources.endSome(actor, endeavourIds, cause, limit));
  }

  /** Restores a batch of the entities that archiving has changed. */
  async restoreSome(
    actor: Caller | null,
    endeavourIds: readonly string[],
    { tally }: OperationWork,
    limit: number,
  ): Promise<number> {
    return count(tally, await this.containedResources.restoreSome(actor, endeavourIds, limit));
  }

  /** Deletes a batch of the stored states, whose entities stay canceled. */
  deleteSome(endeavourIds: readonly string[], limit: number): Promise<number> {
    return this.states.deleteSome(endeavourIds, limit);
  }
}

function count(tally: OperationWork['tally'], batch: EndedBatch | undefined): number {
  if (batch === undefined) return 0;
  tally[batch.section] = (tally[batch.section] ?? 0) + batch.count;
  return batch.count;
}

/** The counts of restored entities, by wire name. */
export const restored = ({ tally }: OperationWork): Record<string, number> => ({
  tasks_restored: tally.tasks ?? 0,
  demands_restored: tally.demands ?? 0,
  rituals_restored: tally.rituals ?? 0,
});
