import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { AssignedWork, type WorkHolder } from '../resources/assigned-work.js';
import { OpenTasksRepository } from './open-tasks.repository.js';

/** Reassigns the open tasks of a resource that is deleted or leaves. */
@Injectable()
export class TaskReassignment implements WorkHolder {
  constructor(
    private readonly repository: OpenTasksRepository,
    assignedWork: AssignedWork,
  ) {
    assignedWork.register(this);
  }

  countOf(resourceId: string): Promise<number> {
    return this.repository.countAssignedTo(resourceId);
  }

  async handOver(me: Caller, from: string, to: string): Promise<void> {
    await this.assertPossible(me, from, to);
    await this.repository.reassign(me, from, to);
  }

  unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    return this.repository.unassign(me, resourceIds);
  }

  /** The new assignee must be assignable in every endeavour concerned, and the caller an admin there. */
  private async assertPossible(me: Caller, from: string, to: string): Promise<void> {
    const { isAdmin, isAssignable } = await this.repository.reassignability(me, from, to);
    if (!isAdmin && !me.isAdmin) throw forbidden('the admin role in every endeavour whose tasks are reassigned');
    if (!isAssignable) throw invalidInput([referenceNotFound('reassign_to')]);
  }
}
