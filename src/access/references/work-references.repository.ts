import { Injectable } from '@nestjs/common';
import { partsOf } from '../../common/work-keys.js';
import { Database } from '../../platform/database/database.js';
import { endeavoursOf } from '../visibility/visibility.js';

/** Reads the texts that can name tasks and demands, and writes to which of them they lead. */
@Injectable()
export class WorkReferencesRepository {
  constructor(private readonly database: Database) {}

  /** The description of a task or demand, or the content of a comment. */
  async textOf(sourceId: string): Promise<string | null> {
    const row = await this.database.one<{ content: string | null }>(
      'SELECT r.content FROM referring_texts r WHERE r.source_id = $1',
      [sourceId],
    );
    return row?.content ?? null;
  }

  /**
   * Stores to which tasks and demands the keys of a text lead: at most that many of those that the author sees, first those of
   * the endeavour of the text, then those of its home. A key that leads to several equally near ones leads to none.
   */
  async refer(authorId: string, sourceId: string, keys: readonly string[], limit: number): Promise<void> {
    const parts = keys.map(partsOf);
    await this.database.query(
      `WITH place AS MATERIALIZED (
         SELECT r.entity_id, x.endeavour_id, e.organization_id
         FROM referring_texts r JOIN entities x ON x.id = r.entity_id JOIN endeavours e ON e.id = x.endeavour_id
         WHERE r.source_id = $2),
       sight AS MATERIALIZED (SELECT ARRAY(${endeavoursOf('$1')}) AS ids),
       found AS (
         SELECT DISTINCT wanted.at, x.id, place.entity_id, CASE WHEN k.endeavour_id = place.endeavour_id THEN 0
             WHEN e.organization_id = place.organization_id THEN 1 ELSE 2 END AS distance,
           (n.is_former OR e.key IS DISTINCT FROM k.key) AS is_former
         FROM place CROSS JOIN sight
           CROSS JOIN unnest($3::text[], $4::integer[]) WITH ORDINALITY AS wanted (prefix, number, at)
           JOIN endeavour_keys k ON k.key = wanted.prefix AND k.endeavour_id = ANY(sight.ids)
           JOIN endeavours e ON e.id = k.endeavour_id
           JOIN work_numbers n ON n.endeavour_id = k.endeavour_id AND n.number = wanted.number
           JOIN entities x ON x.id = n.entity_id AND x.deleted_at IS NULL AND x.endeavour_id = ANY(sight.ids)),
       nearest AS (
         SELECT f.*, rank() OVER (PARTITION BY f.at ORDER BY f.distance, f.is_former) AS place FROM found f),
       meant AS (
         SELECT at, min(id) AS id, min(entity_id) AS entity_id, min(distance) AS distance FROM nearest WHERE place = 1
         GROUP BY at HAVING count(DISTINCT id) = 1)
       INSERT INTO work_references (target_id, source_id, entity_id)
       SELECT m.id, $2, m.entity_id FROM (
         SELECT DISTINCT ON (id) id, entity_id, distance, at FROM meant WHERE id <> entity_id ORDER BY id, distance, at) m
       ORDER BY m.distance, m.at LIMIT $5
       ON CONFLICT DO NOTHING`,
      [authorId, sourceId, parts.map(({ prefix }) => prefix), parts.map(({ number }) => number), limit],
    );
  }
}
