import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { AssignedWork, type AssignedWorkSource } from '../resources/assigned-work.js';
import { OpenTasksRepository } from './open-tasks.repository.js';

/** Reassigns the open tasks of a resource that is deleted or leaves. */
@Injectable()
export class TaskReassignment implements AssignedWorkSource {
  constructor(
    private readonly repository: OpenTasksRepository,
    assignedWork: AssignedWork,
  ) {
    assignedWork.register(this);
  }

  countOf(resourceId: string): Promise<number> {
    return this.repository.countAssignedTo(resourceId);
  }

  async reassign(me: Caller, from: string, to: string): Promise<void> {
    await this.assertMayReassign(me, from, to);
    await this.repository.changeAssignee(me, from, to);
  }

  unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    return this.repository.unassign(me, resourceIds);
  }

  /** The new assignee must be assignable, and the caller an admin, in every endeavour of the tasks. */
  private async assertMayReassign(me: Caller, from: string, to: string): Promise<void> {
    const { isAdmin, isAssignable } = await this.repository.reassignability(me, from, to);
    if (!isAdmin && !me.isAdmin) throw forbidden('the admin role in every endeavour whose tasks are reassigned');
    if (!isAssignable) throw invalidInput([referenceNotFound('reassign_to')]);
  }
}
