import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { Task } from '../task.entity.js';
import { taskView } from '../task.view.js';

/** Manages overrides, with which a task can be completed without meeting its Definition of Done. */
@Injectable()
export class OverridesService {
  constructor(
    private readonly access: Access,
    private readonly writer: ResourceWriter,
  ) {}

  /** Locks the task; 404 or 403 without access. */
  lock(
    me: Caller,
    operation: 'tasks_dod_override_set' | 'tasks_dod_override_remove',
    id: string,
  ): Promise<LockedResource<Task>> {
    return this.access.lockForUpdate(me, operation, Task, id);
  }

  set(me: Caller, { row, place }: LockedResource<Task>, reason: string, at: Date): Promise<Representation> {
    return this.writer.patch(me, taskView, Task, {
      current: row,
      changes: { dodOverriddenAt: at, dodOverriddenBy: me.resourceId, dodOverrideReason: reason },
      place,
      type: () => 'dod.overridden',
    });
  }

  lift(me: Caller, { row, place }: LockedResource<Task>): Promise<Representation> {
    return this.writer.patch(me, taskView, Task, {
      current: row,
      changes: { dodOverriddenAt: null, dodOverriddenBy: null, dodOverrideReason: null },
      place,
      type: () => 'dod.override_lifted',
    });
  }
}
