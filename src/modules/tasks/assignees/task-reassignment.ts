import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { forbidden, invalidInput, referenceNotFound } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { AssignedWork, type AssignedWorkSource } from '../../resources/assignments/assigned-work.js';
import { OpenTasksRepository } from '../completion/open-tasks.repository.js';

/** Reassigns the open tasks of a resource that is deleted or leaves. */
@Injectable()
export class TaskReassignment implements AssignedWorkSource {
  constructor(
    private readonly access: Access,
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

  /** Every endeavour of the tasks must accept changes; the caller must be an admin and the new assignee assignable there. */
  private async assertMayReassign(me: Caller, from: string, to: string): Promise<void> {
    const endeavours = await this.repository.lockEndeavours(me, from, to);
    if (!me.isAdmin && endeavours.some(({ isAdmin }) => !isAdmin)) {
      throw forbidden('the admin role in every endeavour whose tasks are reassigned');
    }
    if (endeavours.some(({ isAssignable }) => !isAssignable)) throw invalidInput([referenceNotFound('reassign_to')]);
    for (const endeavour of endeavours) this.access.assertWritable({ ...endeavour, containerKind: 'endeavour' });
  }
}
