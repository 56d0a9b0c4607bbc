import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../../access/authorized-resource.js';
import { endeavoursAtHomeIn, endeavoursWithIds } from '../../../access/visibility/containers.view.js';
import { resourcesWithIds } from '../../../access/visibility/people.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { Actor } from '../../../platform/context/actor.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import { Database } from '../../../platform/database/database.js';
import { isAssignable } from '../../resources/assignments/assignable.view.js';
import type { WorkRole } from '../../resources/assignments/work-roles.js';
import type { OpenEntity, Reassignment } from '../../resources/assignments/reassignments.service.js';
import { Task } from '../task.entity.js';
import { taskView } from '../task.view.js';

const OPEN = `t.status IN ('planned', 'active')`;
const FROM = `$1::jsonb ->> 'from'`;
const IN_ENDEAVOURS = `t.endeavour_id IN (SELECT jsonb_array_elements_text($1::jsonb -> 'endeavourIds'))`;

/** SQL by role: whether the previous owner or assignee has the role in the task. */
const HAS_ROLE: Record<WorkRole, string> = { assigned: `t.assignee_id = ${FROM}`, owned: `t.owner_id = ${FROM}` };

/** An endeavour whose open tasks are about to be reassigned. */
export interface AffectedEndeavour extends Pick<AuthorizedResource, 'containerStatus' | 'closedBy'> {
  isAdmin: boolean;
  isAssignable: boolean;
}

/** Reads and changes the planned and active tasks of resources. */
@Injectable()
export class OpenTasksRepository {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
  ) {}

  async countAssignedTo(resourceId: string): Promise<number> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM tasks t WHERE t.assignee_id = $1 AND ${OPEN}`,
      [resourceId],
    );
    return row?.open ?? 0;
  }

  /** The endeavours in which the resource has open tasks in any of these roles. */
  async endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT t.endeavour_id AS id FROM tasks t WHERE ${OPEN}
         AND (($2 AND t.assignee_id = $1) OR ($3 AND t.owner_id = $1))`,
      [resourceId, include.includes('assigned'), include.includes('owned')],
    );
    return rows.map(({ id }) => id);
  }

  /** At most `limit` open tasks of the resource in the endeavours of the organization. */
  openIn(organizationId: string, resourceId: string, limit: number): Promise<OpenEntity[]> {
    return this.database.query<OpenEntity>(
      `SELECT t.id, 'task' AS type FROM tasks t WHERE ${OPEN} AND (t.assignee_id = $1 OR t.owner_id = $1)
         AND t.endeavour_id IN (${endeavoursAtHomeIn('$2')}) ORDER BY t.id LIMIT $3`,
      [resourceId, organizationId, limit],
    );
  }

  /** Reassigns the open tasks in which the resource has all of these roles; returns their number. */
  reassign(me: Actor, reassignment: Reassignment, roles: readonly WorkRole[]): Promise<number> {
    return this.bulkWriter.patchAll(me, taskView, Task, {
      where: `${roles.map((role) => HAS_ROLE[role]).join(' AND ')} AND ${OPEN} AND ${IN_ENDEAVOURS}`,
      parameter: JSON.stringify(reassignment),
      changes: {
        ...(roles.includes('assigned') && { assigneeId: reassignment.to }),
        ...(roles.includes('owned') && { ownerId: reassignment.to }),
      },
      type: 'task.updated',
    });
  }

  /**
   * Locks the endeavours in which open tasks are assigned to `from`, so that none is archived or closed until the
   * transaction ends. Says of each whether the caller is an admin there and `to` can be assigned to its tasks.
   */
  lockEndeavours(me: Caller, from: string, to: string): Promise<AffectedEndeavour[]> {
    return this.database.query<AffectedEndeavour>(
      `SELECT e.status AS "containerStatus", e.closed_by AS "closedBy",
         EXISTS (SELECT 1 FROM endeavour_grants g
           WHERE g.endeavour_id = e.id AND g.user_id = $1 AND g.rank >= 3) AS "isAdmin",
         EXISTS (SELECT 1 FROM ${resourcesWithIds('r', '$3')} AND ${isAssignable('r', 'e.id', '$4')}) AS "isAssignable"
       FROM ${endeavoursWithIds('e', `ARRAY(SELECT t.endeavour_id FROM tasks t WHERE t.assignee_id = $2 AND ${OPEN})`)}
       ORDER BY e.id FOR KEY SHARE OF e`,
      [me.userId, from, to, me.resourceId],
    );
  }

  /** Moves at most that many open tasks to another iteration, or out of all; returns their number. */
  changeIteration(me: Caller, from: string, to: string | null, limit: number): Promise<number> {
    return this.bulkWriter.patchAll(me, taskView, Task, {
      where: `t.id IN (SELECT t.id FROM tasks t WHERE t.iteration_id = ${FROM} AND ${OPEN}
        ORDER BY t.id LIMIT ($1::jsonb -> 'limit')::integer)`,
      parameter: JSON.stringify({ from, limit }),
      changes: { iterationId: to },
      type: 'task.updated',
    });
  }

  async changeAssignee(me: Caller, from: string, to: string): Promise<void> {
    await this.bulkWriter.patchAll(me, taskView, Task, {
      where: `t.assignee_id = $1 AND ${OPEN}`,
      parameter: from,
      changes: { assigneeId: to },
      type: 'task.updated',
    });
  }

  async unassign(me: Actor, resourceIds: readonly string[]): Promise<void> {
    await this.bulkWriter.patchAll(me, taskView, Task, {
      where: `t.assignee_id = ANY($1::text[]) AND ${OPEN}`,
      parameter: resourceIds,
      changes: { assigneeId: null },
      type: 'task.updated',
    });
  }
}
