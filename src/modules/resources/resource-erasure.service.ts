import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { Database } from '../../platform/database/database.js';
import { AssignedWork } from './assigned-work.js';

/** What belongs to resources that go, by the column that names them. */
const PARTS = [
  ['team_members', 'team_id'],
  ['team_members', 'resource_id'],
  ['quorum_votes', 'team_id'],
  ['quorum_votes', 'resource_id'],
  ['review_requests', 'resource_id'],
  ['organization_resources', 'resource_id'],
] as const;

/** Erases the resources of an organization that is erased; only the names of those that history needs stay. */
@Injectable()
export class ResourceErasureService {
  constructor(
    private readonly database: Database,
    private readonly eventEraser: EventEraser,
    private readonly assignedWork: AssignedWork,
  ) {}

  /** Their open work elsewhere becomes unassigned. */
  async eraseOf(me: Actor, organizationId: string): Promise<void> {
    const rows = await this.database.query<{ id: string }>('SELECT id FROM resources WHERE organization_id = $1', [
      organizationId,
    ]);
    const ids = rows.map(({ id }) => id);
    await this.assignedWork.unassign(me, ids);
    await this.eventEraser.unlocked(() => this.erase(ids));
  }

  private async erase(ids: string[]): Promise<void> {
    const run = (sql: string) => this.database.query(sql, [ids]);
    for (const [table, column] of PARTS) await run(`DELETE FROM ${table} WHERE ${column} = ANY($1::text[])`);
    await run(
      `UPDATE resources SET organization_id = NULL, deleted_at = coalesce(deleted_at, clock_timestamp()), revision = 1,
         capacity_model = NULL, capacity_value = NULL, skills = '{}', quorum = NULL, metadata = '{}'
       WHERE id = ANY($1::text[])`,
    );
    await run(
      `UPDATE entities SET organization_id = NULL, deleted_at = coalesce(deleted_at, clock_timestamp())
       WHERE id = ANY($1::text[])`,
    );
    await run(`DELETE FROM events WHERE entity_id = ANY($1::text[]) AND type <> 'resource.created'`);
    await run(
      `UPDATE events SET organization_id = NULL, changed = '{}', previous = '{}',
         data = json_build_object('id', entity_id, 'revision', 1)
       WHERE entity_id = ANY($1::text[])`,
    );
    await run('SELECT erase_resources($1::text[])');
  }
}
