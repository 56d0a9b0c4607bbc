import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import type { LockedDependent } from '../../dependencies/dependencies.repository.js';
import { DependenciesService } from '../../dependencies/dependencies.service.js';
import type { Task } from '../task.entity.js';
import { isClosed } from '../task.rules.js';
import { taskView } from '../task.view.js';

const BATCH_SIZE = 1_000;

/** Records the event `task.unblocked` for open tasks that are no longer blocked. */
@Injectable()
export class UnblockedTasks {
  constructor(
    private readonly dependencies: DependenciesService,
    private readonly bulkWriter: BulkWriter,
  ) {}

  /** Called after tasks of an endeavour were closed, for the tasks that they blocked. */
  async recordAfter(me: Actor, closed: readonly string[], endeavourId: string): Promise<void> {
    await this.record(me, await this.dependencies.unblockedBy(closed, endeavourId));
  }

  /** Called after a task was moved, with its row before, for the tasks that it blocked, and for itself if it was blocked. */
  async recordAfterMove(me: Actor, { id, status, endeavourId, blockedByCount }: Task): Promise<void> {
    const unblocked = isClosed(status) ? [] : await this.dependencies.unblockedBy([id], endeavourId);
    if (await this.dependencies.isUnblocked({ id, blockers: blockedByCount })) unblocked.push(id);
    await this.record(me, unblocked);
  }

  /** Called after a dependency was removed, for the dependent task. */
  async recordFreed(me: Actor, dependent: LockedDependent): Promise<void> {
    if (await this.dependencies.isUnblocked(dependent)) await this.record(me, [dependent.id]);
  }

  private async record(me: Actor, ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      await this.bulkWriter.recordAll(me, taskView, ids.slice(start, start + BATCH_SIZE), 'task.unblocked');
    }
  }
}
