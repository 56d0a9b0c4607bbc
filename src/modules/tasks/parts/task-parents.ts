import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';

/** Makes a task a part of another one. */
export interface PartLinks {
  /** Returns whether anything changed; 400 if the parent is not a visible task of the endeavour of the task. */
  setParent(me: Caller, taskId: string, parentId: string | null): Promise<boolean>;
}

/** Lets requests name the parents of tasks, which are relations of a later feature. */
@Injectable()
export class TaskParents {
  private links?: PartLinks;

  register(links: PartLinks): void {
    this.links = links;
  }

  /** Does nothing if no parent was sent; null means none. */
  async set(me: Caller, taskId: string, parentId: string | null | undefined): Promise<boolean> {
    if (parentId === undefined) return false;
    if (this.links === undefined) throw new Error('no feature makes tasks parts of others');
    return this.links.setParent(me, taskId, parentId);
  }
}
