import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { SourceValues } from './reading/source-values.js';

/** Stores what entities were like in the systems that they come from, and what imports did. */
@Injectable()
export class ImportSourcesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the values at the last import, by entity. */
  async valuesOf(entityIds: readonly string[]): Promise<Map<string, SourceValues>> {
    if (entityIds.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; values: SourceValues }>(
      `SELECT s.entity_id AS id, s.values FROM import_sources s WHERE s.entity_id = ANY($1::text[])`,
      [entityIds],
    );
    return new Map(rows.map(({ id, values }) => [id, values]));
  }

  async store(values: ReadonlyMap<string, SourceValues>): Promise<void> {
    if (values.size === 0) return;
    await this.database.query(
      `INSERT INTO import_sources (entity_id, values) SELECT * FROM unnest($1::text[], $2::jsonb[])
       ON CONFLICT (entity_id) DO UPDATE SET values = excluded.values`,
      [[...values.keys()], [...values.values()].map((one) => JSON.stringify(one))],
    );
  }

  /** Returns the properties of an entity that were changed after a revision. */
  async changedSince(entityId: string, revision: number): Promise<Set<string>> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT DISTINCT unnest(e.changed) AS name FROM events e
       WHERE e.entity_id = $1 AND (e.data ->> 'revision')::integer > $2`,
      [entityId, revision],
    );
    return new Set(rows.map(({ name }) => name));
  }

  /** Records the entities that an import created or changed. */
  async addResults(importId: string, outcome: 'created' | 'updated', entityIds: readonly string[]): Promise<void> {
    if (entityIds.length === 0) return;
    await this.database.query(
      `INSERT INTO import_results (import_id, entity_id, outcome)
       SELECT $1, id, $2 FROM unnest($3::text[]) AS id ON CONFLICT DO NOTHING`,
      [importId, outcome, entityIds],
    );
  }
}
