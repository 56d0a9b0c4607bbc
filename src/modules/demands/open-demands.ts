import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { Database } from '../../platform/database/database.js';
import type { Holding } from '../resources/holdings.js';
import { ReassignmentsService, type Handover, type OpenWork } from '../resources/reassignments.service.js';
import { Demand } from './demand.entity.js';
import { demandView } from './demand.view.js';

const OPEN = `d.status IN ('open', 'in_progress')`;

/** The demands that resources own and that are neither fulfilled nor canceled. */
@Injectable()
export class OpenDemands implements OpenWork {
  constructor(
    private readonly database: Database,
    private readonly bulkWriter: BulkWriter,
    reassignments: ReassignmentsService,
  ) {
    reassignments.register(this);
  }

  async endeavoursOf(resourceId: string, include: readonly Holding[]): Promise<string[]> {
    if (!include.includes('owned')) return [];
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT d.endeavour_id AS id FROM demands d WHERE ${OPEN} AND d.owner_id = $1`,
      [resourceId],
    );
    return rows.map(({ id }) => id);
  }

  async handOver(me: Caller, handover: Handover): Promise<number> {
    if (!handover.include.includes('owned')) return 0;
    return this.bulkWriter.patchAll(me, demandView, Demand, {
      where: `d.owner_id = $1::jsonb ->> 'from' AND ${OPEN}
        AND d.endeavour_id IN (SELECT jsonb_array_elements_text($1::jsonb -> 'endeavourIds'))`,
      parameter: JSON.stringify(handover),
      changes: { ownerId: handover.to },
      type: 'demand.updated',
    });
  }
}
