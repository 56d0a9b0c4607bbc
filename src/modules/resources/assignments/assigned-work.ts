import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';

/** A feature whose work is assigned to resources. */
export interface AssignedWorkSource {
  /** The number of open work items that are assigned to the resource. */
  countOf(resourceId: string): Promise<number>;
  /** Reassigns all open work to another resource; 400 if it cannot be assigned, 403 if the caller may not reassign. */
  reassign(me: Caller, from: string, to: string): Promise<void>;
  /** Unassigns all open work of the resources, without a permission check. */
  unassign(me: Actor, resourceIds: readonly string[]): Promise<void>;
}

/** Registry of the features that assign work; this module cannot import them, because they depend on it. */
@Injectable()
export class AssignedWork {
  private readonly sources: AssignedWorkSource[] = [];

  register(source: AssignedWorkSource): void {
    this.sources.push(source);
  }

  /** Unassigns the open work of these resources. */
  async unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    for (const source of this.sources) await source.unassign(me, resourceIds);
  }

  /** Reassigns the open work of a resource; 409 `in_use` if there is open work but no new assignee. */
  async release(me: Caller, resourceId: string, reassignTo: string | undefined): Promise<void> {
    if (reassignTo !== undefined) {
      for (const source of this.sources) await source.reassign(me, resourceId, reassignTo);
      return;
    }
    const counts = await Promise.all(this.sources.map((source) => source.countOf(resourceId)));
    const count = counts.reduce((sum, n) => sum + n, 0);
    if (count === 0) return;
    throw conflict('in_use', `${count} planned or active tasks are assigned to this resource; set reassign_to.`, {
      count,
    });
  }
}
