import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { endeavoursAtHomeIn } from '../../access/visibility/containers.view.js';
import type { Actor } from '../../platform/context/actor.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { Database } from '../../platform/database/database.js';
import type { DeriveDates, WorkPosition } from '../endeavours/dates/dated-work.js';
import type { OpenEntity, Reassignment } from '../resources/assignments/reassignments.service.js';
import { Demand } from './demand.entity.js';
import { deriveDueDates } from './derived-due-dates.view.js';
import type { DemandStatus } from './demand.lifecycle.js';
import { demandView } from './demand.view.js';

/** The constraint by which a task and its demand are in the same endeavour. */
const FOREIGN_KEY_OF_TASKS = 'tasks_demand_id_endeavour_id_fkey';

const OPEN = `d.status IN ('open', 'in_progress')`;

/** Reads and writes demands. */
@Injectable()
export class DemandsRepository {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
  ) {}

  /** Derives the due dates of the next demands of an endeavour; undefined if there are no more. */
  deriveDueDates: DeriveDates = ({ id, timezone, isConverted }, after, limit) =>
    this.database.one<WorkPosition>(deriveDueDates('demands'), [
      id,
      timezone,
      isConverted,
      after?.createdAt ?? null,
      after?.id ?? null,
      limit,
    ]);

  async isInEndeavour(id: string, endeavourId: string): Promise<boolean> {
    const row = await this.database.one('SELECT 1 FROM demands WHERE id = $1 AND endeavour_id = $2', [id, endeavourId]);
    return row !== undefined;
  }

  /** Returns the status of a demand; with `isLocked`, the demand is not fulfilled until the transaction ends. */
  async statusOf(id: string, { isLocked }: { isLocked: boolean }): Promise<DemandStatus | undefined> {
    const sql = `SELECT status FROM demands WHERE id = $1 ${isLocked ? 'FOR KEY SHARE' : ''}`;
    return (await this.database.one<{ status: DemandStatus }>(sql, [id]))?.status;
  }

  /** Whether one of the demands is fulfilled; if not, none is fulfilled until the transaction ends. */
  async isAnyFulfilled(ids: readonly string[]): Promise<boolean> {
    const rows = await this.database.query<{ status: DemandStatus }>(
      'SELECT status FROM demands WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
      [ids],
    );
    return rows.some(({ status }) => status === 'fulfilled');
  }

  /** Waits for transactions that add tasks to the demand, and blocks new ones until the commit. */
  lockAgainstTasks(id: string): Promise<void> {
    return this.database.lockExclusively(Demand, id);
  }

  /** The ids of its tasks, in their order, up to a limit. */
  async tasksOf(id: string, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT t.id FROM task_states t WHERE t.demand_id = $1 ORDER BY t.id LIMIT $2',
      [id, limit],
    );
    return rows.map(({ id: taskId }) => taskId);
  }

  /** Runs work during which tasks can be in another endeavour than their demand, but not at its end. */
  async withTasksElsewhere(work: () => Promise<void>): Promise<void> {
    await this.database.query(`SET CONSTRAINTS ${FOREIGN_KEY_OF_TASKS} DEFERRED`);
    await work();
    await this.database.query(`SET CONSTRAINTS ${FOREIGN_KEY_OF_TASKS} IMMEDIATE`);
  }

  async countOpenTasks(id: string): Promise<number> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM task_states WHERE demand_id = $1 AND status IN ('planned', 'active')`,
      [id],
    );
    return row?.open ?? 0;
  }

  /** Returns the endeavours in which the resource owns demands that are open or in progress. */
  async endeavoursWithOpenOf(ownerId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT d.endeavour_id AS id FROM demands d WHERE ${OPEN} AND d.owner_id = $1`,
      [ownerId],
    );
    return rows.map(({ id }) => id);
  }

  /** At most `limit` open demands that the resource owns in the endeavours of the organization. */
  openIn(organizationId: string, ownerId: string, limit: number): Promise<OpenEntity[]> {
    return this.database.query<OpenEntity>(
      `SELECT d.id, 'demand' AS type FROM demands d WHERE ${OPEN} AND d.owner_id = $1
         AND d.endeavour_id IN (${endeavoursAtHomeIn('$2')}) ORDER BY d.id LIMIT $3`,
      [ownerId, organizationId, limit],
    );
  }

  /** Makes another resource the owner of the open demands of a resource in these endeavours; returns their number. */
  reassignOpen(me: Actor, reassignment: Reassignment): Promise<number> {
    return this.bulkWriter.patchAll(me, demandView, Demand, {
      where: `d.owner_id = $1::jsonb ->> 'from' AND ${OPEN}
        AND d.endeavour_id IN (SELECT jsonb_array_elements_text($1::jsonb -> 'endeavourIds'))`,
      parameter: JSON.stringify(reassignment),
      changes: { ownerId: reassignment.to },
      type: 'demand.updated',
    });
  }

  /** Moves at most that many open demands to another iteration, or out of all; returns their number. */
  changeIteration(me: Caller, from: string, to: string | null, limit: number): Promise<number> {
    return this.bulkWriter.patchAll(me, demandView, Demand, {
      where: `d.id IN (SELECT d.id FROM demands d WHERE d.iteration_id = $1::jsonb ->> 'from' AND ${OPEN}
        ORDER BY d.id LIMIT ($1::jsonb -> 'limit')::integer)`,
      parameter: JSON.stringify({ from, limit }),
      changes: { iterationId: to },
      type: 'demand.updated',
    });
  }
}
