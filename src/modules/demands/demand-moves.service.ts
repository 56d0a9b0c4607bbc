import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Representation } from '../../platform/database/views/view.js';
import { CompletionService } from '../endeavours/dates/completion.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { changedGoal } from '../endeavours/goals/goals.js';
import { LabelsService } from '../labels/labels.service.js';
import { changedIteration } from '../iterations/iteration-membership.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { Demand } from './demand.entity.js';
import { demandView } from './demand.view.js';
import { DemandsRepository } from './demands.repository.js';

/** Moves demands to other endeavours; `tasks/demand-moves` moves their tasks. */
@Injectable()
export class DemandMoves {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly completion: CompletionService,
    private readonly endeavours: EndeavoursService,
    private readonly externalRefs: ExternalRefs,
    private readonly labels: LabelsService,
    private readonly repository: DemandsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Rejects callers who may not move the demand, without a lock. */
  async authorize(me: Caller, id: string): Promise<void> {
    await this.access.authorizeWithoutLock(me, 'demands_move', id);
  }

  /** Locks the demand, which gets no new tasks until the transaction ends. */
  async lock(me: Caller, id: string): Promise<LockedResource<Demand>> {
    const locked = await this.access.lockForUpdate(me, 'demands_move', Demand, id);
    this.access.assertWritable(locked);
    await this.repository.lockAgainstTasks(id);
    return locked;
  }

  /**
   * Returns the endeavour that the demand moves to. It requires the member role there, and the admin role in the home
   * organization that the demand leaves.
   */
  async destinationOf(me: Caller, { row }: LockedResource<Demand>, endeavourId: string): Promise<AuthorizedResource> {
    const destination = await this.access.resolveReference(
      me,
      'demands_create',
      'endeavour_id',
      endeavourId,
      'endeavour',
    );
    await this.endeavours.assertMayLeaveHome(me, row.endeavourId, endeavourId);
    this.access.assertWritable(destination);
    this.endeavours.assertTakesWork(destination);
    return destination;
  }

  /** Writes the new endeavour of the demand. Its tasks may be in the former one until `moveTasks` ends. */
  async move(
    me: Caller,
    { row }: LockedResource<Demand>,
    destination: AuthorizedResource,
    moveTasks: () => Promise<void>,
  ): Promise<Representation> {
    const { id: endeavourId, place } = destination;
    const { owner_id: ownerId } = await this.assignments.resolve(me, endeavourId, { owner_id: row.ownerId });
    await this.externalRefs.lock(demandView, endeavourId, row.externalRef ?? null);
    await this.labels.makeElsewhere(endeavourId, row.labels);
    await this.repository.withTasksElsewhere(async () => {
      await this.writer.patch(me, demandView, Demand, {
        current: row,
        // Ranks, iterations and goals of the other endeavour mean nothing there.
        changes: {
          endeavourId,
          ownerId,
          rank: null,
          iterationId: changedIteration(undefined, row, endeavourId),
          goalId: changedGoal(undefined, row, endeavourId),
        },
        place,
        entityChanges: { endeavourId },
      });
      await moveTasks();
    });
    await this.completion.completeIfDone(me, row.endeavourId);
    return this.writer.read(me, demandView, row.id);
  }

  /** The ids of the tasks of the demand, in their order, up to a limit. */
  tasksOf(id: string, limit: number): Promise<string[]> {
    return this.repository.tasksOf(id, limit);
  }

  read(me: Caller, id: string): Promise<Representation> {
    return this.writer.read(me, demandView, id);
  }
}
