import { Injectable } from '@nestjs/common';
import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { personBehind } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';
import { Ritual } from './ritual.entity.js';
import type { Schedule } from './schedules/schedule.js';

/** A ritual that runs on its schedule. */
export interface ScheduledRitual {
  id: string;
  name: string;
  schedule: Schedule;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

/** Reads and writes rituals. */
@Injectable()
export class RitualsRepository {
  constructor(private readonly database: Database) {}

  read(id: string): Promise<Ritual> {
    return this.database.row(Ritual, id);
  }

  /** Whether the resource is an agent that the person with the other resource manages. */
  async isManagedBy(resourceId: string, managerId: string): Promise<boolean> {
    const row = await this.database.one<{ isManaged: boolean }>(`SELECT ${personBehind('$1')} = $2 AS "isManaged"`, [
      resourceId,
      managerId,
    ]);
    return row?.isManaged === true;
  }

  /** The scheduled rituals of the endeavour, next due first; none if the endeavour is completed or archived. */
  scheduledIn(endeavourId: string, limit: number): Promise<ScheduledRitual[]> {
    return this.database.query<ScheduledRitual>(
      `SELECT r.id, r.name, r.schedule, r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
       FROM rituals r ${joinEndeavour('e', 'r.endeavour_id')} AND e.status NOT IN ('completed', 'archived')
         JOIN entities x ON x.id = r.id AND x.deleted_at IS NULL
       WHERE r.endeavour_id = $1 AND r.is_enabled AND r.status = 'active' AND r.schedule ->> 'type' <> 'manual'
       ORDER BY r.next_run_at, r.id LIMIT $2`,
      [endeavourId, limit],
    );
  }
}
