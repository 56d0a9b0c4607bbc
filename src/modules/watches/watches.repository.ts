import { Injectable } from '@nestjs/common';
import { joinUserOf } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';

/** The rows of watches. */
@Injectable()
export class WatchesRepository {
  constructor(private readonly database: Database) {}

  async set(entityId: string, resourceId: string, isOn: boolean): Promise<void> {
    await this.database.query(
      `INSERT INTO watches (entity_id, resource_id, is_on) VALUES ($1, $2, $3)
       ON CONFLICT (entity_id, resource_id) DO UPDATE SET is_on = excluded.is_on, created_at = excluded.created_at
         WHERE watches.is_on <> excluded.is_on`,
      [entityId, resourceId, isOn],
    );
  }

  /** Begins to watch for those of the resources that are people and have never decided. */
  async begin(entityId: string, resourceIds: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO watches (entity_id, resource_id, is_on)
       SELECT $1, u.resource_id, true FROM unnest($2::text[]) AS person (id) ${joinUserOf('u', 'person.id')}
       ORDER BY u.resource_id ON CONFLICT DO NOTHING`,
      [entityId, resourceIds],
    );
  }
}
