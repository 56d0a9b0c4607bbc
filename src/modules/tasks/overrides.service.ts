import { Injectable } from '@nestjs/common';
import { Access, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Writes } from '../../platform/changes/writes.js';
import type { Representation } from '../../platform/database/view.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

/** That a task may be done without meeting its Definition of Done: kept at the task, apart from its metadata. */
@Injectable()
export class Overrides {
  constructor(
    private readonly access: Access,
    private readonly writes: Writes,
  ) {}

  /** Locks the task; 404 and 403 as always. */
  open(me: Caller, operation: 'dod_override' | 'dod_override_lift', id: string): Promise<Opened<Task>> {
    return this.access.open(me, operation, Task, id);
  }

  set(me: Caller, { row, place }: Opened<Task>, reason: string, at: Date): Promise<Representation> {
    return this.writes.patch(me, taskView, Task, {
      current: row,
      changes: { dodOverriddenAt: at, dodOverriddenBy: me.resourceId, dodOverrideReason: reason },
      place,
      type: () => 'dod.overridden',
    });
  }

  lift(me: Caller, { row, place }: Opened<Task>): Promise<Representation> {
    return this.writes.patch(me, taskView, Task, {
      current: row,
      changes: { dodOverriddenAt: null, dodOverriddenBy: null, dodOverrideReason: null },
      place,
      type: () => 'dod.override_lifted',
    });
  }
}
