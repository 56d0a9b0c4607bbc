import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { Database } from '../../platform/database/database.js';
import { isAssignable } from '../resources/assignments.service.js';
import { AssignedWork, type WorkHolder } from '../resources/assigned-work.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

const isOpen = `t.status IN ('planned', 'active')`;

/** The open tasks of a resource that goes away. */
@Injectable()
export class TaskReassignment implements WorkHolder {
  constructor(
    private readonly database: Database,
    private readonly bulkWriter: BulkWriter,
    assignedWork: AssignedWork,
  ) {
    assignedWork.register(this);
  }

  async countOf(resourceId: string): Promise<number> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM tasks t WHERE t.assignee_id = $1 AND ${isOpen}`,
      [resourceId],
    );
    return row?.open ?? 0;
  }

  async handOver(me: Caller, from: string, to: string): Promise<void> {
    await this.assertPossible(me, from, to);
    await this.bulkWriter.patchAll(me, taskView, Task, {
      where: `t.assignee_id = $1 AND ${isOpen}`,
      parameter: from,
      changes: { assigneeId: to },
      type: 'task.updated',
    });
  }

  async unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    await this.bulkWriter.patchAll(me, taskView, Task, {
      where: `t.assignee_id = ANY($1::text[]) AND ${isOpen}`,
      parameter: resourceIds,
      changes: { assigneeId: null },
      type: 'task.updated',
    });
  }

  /** The new assignee must be assignable in every endeavour concerned, and the caller an admin there. */
  private async assertPossible(me: Caller, from: string, to: string): Promise<void> {
    const row = await this.database.one<{ mine: boolean; theirs: boolean }>(
      `SELECT coalesce(bool_and(EXISTS (SELECT 1 FROM endeavour_grants g
           WHERE g.endeavour_id = e.id AND g.user_id = $1 AND g.rank >= 3)), true) AS mine,
         coalesce(bool_and(EXISTS (SELECT 1 FROM resources r WHERE r.id = $3 AND ${isAssignable('r', 'e.id', '$4')})), true) AS theirs
       FROM (SELECT DISTINCT t.endeavour_id AS id FROM tasks t WHERE t.assignee_id = $2 AND ${isOpen}) e`,
      [me.userId, from, to, me.resourceId],
    );
    if (row?.mine === false && !me.isAdmin)
      throw forbidden('the admin role in every endeavour whose tasks are reassigned');
    if (row?.theirs === false) throw invalidInput([referenceNotFound('reassign_to')]);
  }
}
