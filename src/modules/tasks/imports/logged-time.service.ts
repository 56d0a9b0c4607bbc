import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { OperationId } from '../../../access/permissions/permissions.js';
import { conflict } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { Task } from '../task.entity.js';
import { isClosed } from '../task.rules.js';
import { taskView } from '../task.view.js';
import { TasksRepository, type HoursOfTask } from '../tasks.repository.js';

export type { HoursOfTask };

/** A task that is locked, so that its time can change. */
export type TimedTask = LockedResource<Task>;

/**
 * The time that is logged on tasks. The entries are those of another feature; a trigger sets the hours and the revision of
 * their task, and the events of the task are written here.
 */
@Injectable()
export class LoggedTime {
  constructor(
    private readonly access: Access,
    private readonly repository: TasksRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Locks the task in the field `task_id` of the body; 400 if it is not visible. */
  lockReference(me: Caller, operation: OperationId, id: string): Promise<TimedTask> {
    return this.access.lockReferenceForUpdate(me, operation, Task, 'task_id', id);
  }

  /** Locks the task; 404 if it is not visible. */
  lock(me: Caller, operation: OperationId, id: string): Promise<TimedTask> {
    return this.access.lockForUpdate(me, operation, Task, id);
  }

  /** The hours of these tasks by their ids. */
  hoursOf(ids: readonly string[]): Promise<Map<string, HoursOfTask>> {
    return this.repository.hoursOf(ids);
  }

  /** 409 if the task is done or canceled. */
  assertTakesTime({ row }: TimedTask): void {
    if (!isClosed(row.status)) return;
    throw conflict('task_closed', `The task is ${row.status}; its time can change only while it is open.`);
  }

  /** Records that an entry has changed the hours of the task; `actual` are those before. */
  async record(me: Caller, { row, place }: TimedTask, actual = row.actual): Promise<void> {
    const changed = { type: 'task.updated', previous: { actual }, changed: ['actual'] };
    await this.writer.recordChange(me, taskView, row.id, place, changed);
  }

  /** Records what an import or its undo writes to tasks, which are locked in one order, as those of bulk changes are. */
  async recordAround(me: Caller, ids: readonly string[], write: () => Promise<void>): Promise<void> {
    const before = await this.repository.lockHours(ids);
    await write();
    const after = new Map((await this.repository.lockHours(ids)).map(({ id, actual }) => [id, actual]));
    for (const task of before) {
      const actual = after.get(task.id) ?? null;
      const place = { endeavourId: task.endeavourId };
      await this.writer.patch(me, taskView, Task, { current: task as Task, changes: { actual }, place });
    }
  }
}
