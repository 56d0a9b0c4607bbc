import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { conflict } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';

/** An area whose work is assigned to resources. */
export interface WorkHolder {
  /** How much open work the resource has there. */
  countOf(resourceId: string): Promise<number>;
  /** Gives all of it to another resource. Refuses where that one cannot have it, or the caller may not give it. */
  handOver(me: Caller, from: string, to: string): Promise<void>;
  /** Takes all of it away from these resources, without asking who may. */
  unassign(me: Actor, resourceIds: readonly string[]): Promise<void>;
}

/** Registry for features that assign work, because resources do not know the features above them. */
@Injectable()
export class AssignedWork {
  private readonly holders: WorkHolder[] = [];

  register(holder: WorkHolder): void {
    this.holders.push(holder);
  }

  /** Unassigns the open work of these resources. */
  async unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    for (const holder of this.holders) await holder.unassign(me, resourceIds);
  }

  /** Reassigns the open work of a resource; 409 `in_use` if there is some and no resource to take it over. */
  async release(me: Caller, resourceId: string, heir: string | undefined): Promise<void> {
    if (heir !== undefined) {
      for (const holder of this.holders) await holder.handOver(me, resourceId, heir);
      return;
    }
    const counts = await Promise.all(this.holders.map((holder) => holder.countOf(resourceId)));
    const count = counts.reduce((sum, each) => sum + each, 0);
    if (count === 0) return;
    throw conflict('in_use', `${count} planned or active tasks are assigned to this resource; set reassign_to.`, {
      count,
    });
  }
}
