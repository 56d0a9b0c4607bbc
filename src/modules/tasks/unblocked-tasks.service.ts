import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import type { HeldDependent } from '../dependencies/dependencies.repository.js';
import { DependenciesService } from '../dependencies/dependencies.service.js';
import type { Task } from './task.entity.js';
import { taskView } from './task.view.js';

/** Records at open tasks that they wait for nothing any more. */
@Injectable()
export class UnblockedTasks {
  constructor(
    private readonly dependencies: DependenciesService,
    private readonly bulkWriter: BulkWriter,
  ) {}

  /** After a task was closed or moved: at those that waited for it, and at itself where it left what it waited for. */
  async recordAfter(
    me: Actor,
    { id, endeavourId, blockedByCount }: Task,
    { isMoved }: { isMoved: boolean },
  ): Promise<void> {
    const unblocked = await this.dependencies.unblockedBy(id, endeavourId);
    if (isMoved && (await this.dependencies.isUnblocked({ id, blockers: blockedByCount }))) unblocked.push(id);
    await this.record(me, unblocked);
  }

  /** After a dependency was removed: at the task that waited. */
  async recordFreed(me: Actor, held: HeldDependent): Promise<void> {
    if (await this.dependencies.isUnblocked(held)) await this.record(me, [held.id]);
  }

  private async record(me: Actor, ids: string[]): Promise<void> {
    await this.bulkWriter.recordAll(me, taskView, ids, 'task.unblocked');
  }
}
