import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import type { Actor } from '../context/actor.js';
import { BulkWriter } from '../events/bulk-writer.js';
import { Database } from '../database/database.js';
import type { Containment } from './containment.js';

/** A containment with entities that archiving ends. */
export type CascadedContainment = Containment & Required<Pick<Containment, 'archiveCascade'>>;

/** Stores the state of entities before archiving changes them, so that it can be restored. */
@Injectable()
export class ArchivedStates {
  constructor(
    private readonly database: Database,
    private readonly bulkWriter: BulkWriter,
  ) {}

  /** Ends these entities and stores their earlier state. */
  async archive(
    actor: Actor | null,
    { view, archiveCascade }: CascadedContainment,
    ids: string[],
    { changes, organizationId }: { changes: object; organizationId?: string },
  ): Promise<void> {
    await this.bulkWriter.patchBatch(actor, view, {
      ids,
      ...this.bulkWriter.constants(archiveCascade.entity, changes),
      type: archiveCascade.type,
      steps: (previous, p) => [
        `kept AS (INSERT INTO archived_states (entity_id, kind, endeavour_id, organization_id, previous)
         SELECT before.id, ${p.bind(view.kind)}, place.endeavour_id,
           CASE WHEN place.endeavour_id = before.id THEN ${p.bind(organizationId ?? null)}::text END, ${previous}::jsonb
         FROM before JOIN entities place ON place.id = before.id
         ON CONFLICT (entity_id) DO UPDATE SET endeavour_id = excluded.endeavour_id,
           organization_id = excluded.organization_id, previous = excluded.previous)`,
      ],
    });
  }

  /** Finds at most that many entities of the kind in these endeavours with a stored state. */
  async findSome(kind: Kind, endeavourIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT entity_id AS id FROM archived_states WHERE endeavour_id = ANY($1::text[]) AND kind = $2
       LIMIT $3 FOR UPDATE`,
      [endeavourIds, kind, limit],
    );
    return rows.map(({ id }) => id).sort();
  }

  /** Restores the earlier state of these entities, which belong to one containment. */
  async restore(actor: Actor | null, { view, archiveCascade }: CascadedContainment, ids: string[]): Promise<void> {
    const { columns } = this.bulkWriter.constants(archiveCascade.entity, archiveCascade.changes('', new Date(), ''));
    await this.bulkWriter.patchBatch(actor, view, {
      ids,
      columns,
      value: (column) => `(jsonb_populate_record(NULL::${view.table}, before.kept))."${column}"`,
      type: archiveCascade.undoneType ?? archiveCascade.type,
      joins: () => ({
        sql: 'JOIN archived_states state ON state.entity_id = own.id',
        columns: 'state.previous AS kept',
      }),
      resets: archiveCascade.resets,
      steps: () => ['given AS (DELETE FROM archived_states state USING before WHERE state.entity_id = before.id)'],
    });
  }

  /** Deletes at most that many stored states in these endeavours, except those of the endeavours themselves. */
  async deleteSome(endeavourIds: readonly string[], limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM archived_states WHERE entity_id IN (
         SELECT entity_id FROM archived_states WHERE endeavour_id = ANY($1::text[]) AND kind <> 'endeavour' LIMIT $2)
       RETURNING 1`,
      [endeavourIds, limit],
    );
    return rows.length;
  }

  async count(endeavourIds: readonly string[]): Promise<number> {
    const row = await this.database.one<{ kept: number }>(
      'SELECT count(*)::integer AS kept FROM archived_states WHERE endeavour_id = ANY($1::text[])',
      [endeavourIds],
    );
    return row?.kept ?? 0;
  }

  /** The state of a container before archiving; undefined if it was not stored. */
  async previousOf<T>(entityId: string): Promise<T | undefined> {
    const row = await this.database.one<{ previous: T }>('SELECT previous FROM archived_states WHERE entity_id = $1', [
      entityId,
    ]);
    return row?.previous;
  }

  /** The endeavours that were archived with that organization. */
  async endeavoursOf(organizationId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT entity_id AS id FROM archived_states WHERE organization_id = $1 AND kind = 'endeavour' ORDER BY entity_id`,
      [organizationId],
    );
    return rows.map(({ id }) => id);
  }

  /** Stores the state of an organization. */
  async storeOrganization(id: string, previous: { status: string }): Promise<void> {
    await this.database.query(
      `INSERT INTO archived_states (entity_id, kind, previous) VALUES ($1, 'organization', $2)
       ON CONFLICT (entity_id) DO UPDATE SET previous = excluded.previous`,
      [id, JSON.stringify(previous)],
    );
  }

  /** Deletes the stored state of an organization; the endeavours archived with it stay archived individually. */
  async deleteOrganization(id: string): Promise<void> {
    await this.database.query('DELETE FROM archived_states WHERE entity_id = $1', [id]);
    await this.database.query('UPDATE archived_states SET organization_id = NULL WHERE organization_id = $1', [id]);
  }
}
