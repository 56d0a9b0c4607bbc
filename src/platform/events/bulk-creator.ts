import { Injectable } from '@nestjs/common';
import { columnsOf } from '../database/columns/columns.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../database/database.js';
import type { View } from '../database/views/view.js';
import type { Actor, ResourceScope } from '../context/actor.js';
import { BulkWriter } from './bulk-writer.js';

/** A new entity among many. */
export interface NewEntity<E> {
  row: Partial<E> & { id: string };
  place: ResourceScope;
  title: string;
  parentId?: string | null;
}

/** Creates many entities of one kind at once, each with its entity row and its event. */
@Injectable()
export class BulkCreator {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
  ) {}

  /** Creates at most a thousand entities, which must have values for the same properties. */
  async createAll<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    created: readonly NewEntity<E>[],
  ): Promise<void> {
    if (created.length === 0) return;
    const rows = created.map(({ row }) => columnsOf(this.database.source, entity, row));
    const places = created.map(({ row, place, title, parentId = null }) => ({
      id: row.id,
      kind: view.kind,
      endeavour_id: place.endeavourId ?? null,
      organization_id: place.organizationId ?? null,
      owner_user_id: place.ownerUserId ?? null,
      is_global: false,
      title,
      parent_id: parentId,
    }));
    await this.database.query(
      `WITH placed AS (${insertAll('entities', Object.keys(places[0]), '$1')})
       ${insertAll(view.table, Object.keys(rows[0]), '$2')}`,
      [JSON.stringify(places), JSON.stringify(rows)],
    );
    const ids = created.map(({ row }) => row.id);
    await this.bulkWriter.recordAll(actor, view, ids, `${view.kind}.created`);
  }
}

/** SQL that inserts the rows of the JSON array in that parameter, with the types of the table. */
function insertAll(table: string, columns: readonly string[], parameter: string): string {
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, ${parameter}::jsonb)`;
}
