import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

/** Manages done tasks whose approved content has changed since they met their Definition of Done. */
@Injectable()
export class ChangedTasks {
  constructor(
    private readonly access: Access,
    private readonly writer: ResourceWriter,
  ) {}

  /** Locks the task for a check. */
  lock(me: Caller, id: string): Promise<LockedResource<Task>> {
    return this.access.lockForUpdate(me, 'tasks_dod_check_run', Task, id);
  }

  /** Makes the result of the task `met` again, on the basis of the check; does nothing if its content is unchanged. */
  async confirm(me: Caller, { row, place }: LockedResource<Task>, checkId: string): Promise<void> {
    if (row.dodResult !== 'changed') return;
    await this.writer.patch(me, taskView, Task, {
      current: row,
      changes: { dodResult: 'met', dodCheckId: checkId, dodChangedAt: null, dodChangedBy: null },
      place,
      type: () => 'dod.met',
    });
  }
}
