import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/** The tables with rows of erased resources, and the column that refers to the resource. */
const PARTS = [
  ['team_members', 'team_id'],
  ['team_members', 'resource_id'],
  ['quorum_votes', 'team_id'],
  ['quorum_votes', 'resource_id'],
  ['review_requests', 'resource_id'],
  ['organization_resources', 'resource_id'],
] as const;

/** Erases the data of resources. */
@Injectable()
export class ResourceErasureRepository {
  constructor(private readonly database: Database) {}

  /** The ids of the resources whose home is the organization. */
  async resourcesOf(organizationId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>('SELECT id FROM resources WHERE organization_id = $1', [
      organizationId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Erases all data of the resources except the names that history needs; events must be unlocked. */
  async erase(ids: readonly string[]): Promise<void> {
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
