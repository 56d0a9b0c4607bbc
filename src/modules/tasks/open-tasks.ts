import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { Database } from '../../platform/database/database.js';
import type { Holding } from '../resources/holdings.js';
import { ReassignmentsService, type Handover, type OpenWork } from '../resources/reassignments.service.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

const OPEN = `t.status IN ('planned', 'active')`;
const FROM = `$1::jsonb ->> 'from'`;
const IN_ENDEAVOURS = `t.endeavour_id IN (SELECT jsonb_array_elements_text($1::jsonb -> 'endeavourIds'))`;

/** Which tasks change in which way: each once, with one revision and one event, also where both parts are held. */
const COMBINATIONS: readonly { holdings: readonly Holding[]; where: string }[] = [
  { holdings: ['assigned', 'owned'], where: `t.assignee_id = ${FROM} AND t.owner_id = ${FROM}` },
  { holdings: ['assigned'], where: `t.assignee_id = ${FROM}` },
  { holdings: ['owned'], where: `t.owner_id = ${FROM}` },
];

/** The planned and active tasks that resources are assigned or own. */
@Injectable()
export class OpenTasks implements OpenWork {
  constructor(
    private readonly database: Database,
    private readonly bulkWriter: BulkWriter,
    reassignments: ReassignmentsService,
  ) {
    reassignments.register(this);
  }

  async endeavoursOf(resourceId: string, include: readonly Holding[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT t.endeavour_id AS id FROM tasks t WHERE ${OPEN}
         AND (($2 AND t.assignee_id = $1) OR ($3 AND t.owner_id = $1))`,
      [resourceId, include.includes('assigned'), include.includes('owned')],
    );
    return rows.map(({ id }) => id);
  }

  async handOver(me: Caller, handover: Handover): Promise<number> {
    let moved = 0;
    for (const { holdings, where } of COMBINATIONS) {
      if (!holdings.every((holding) => handover.include.includes(holding))) continue;
      moved += await this.bulkWriter.patchAll(me, taskView, Task, {
        where: `${where} AND ${OPEN} AND ${IN_ENDEAVOURS}`,
        parameter: JSON.stringify(handover),
        changes: {
          ...(holdings.includes('assigned') && { assigneeId: handover.to }),
          ...(holdings.includes('owned') && { ownerId: handover.to }),
        },
        type: 'task.updated',
      });
    }
    return moved;
  }
}
