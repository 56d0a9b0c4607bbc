import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import { EventEraser } from '../events/event-eraser.js';
import { Database } from '../database/database.js';
import { inOrder, type Attachments, type Column, type Erasing, type ReferencingColumn } from './erasing.js';

/** The containers to erase: endeavours, and their home organization if it is erased too. */
export interface EraseTarget {
  endeavourIds: readonly string[];
  organizationId: string | null;
}

/** References to entities of every kind, besides those that features register. */
const EVERYWHERE: Attachments = {
  parts: [
    { table: 'archived_states', column: 'entity_id' },
    { table: 'events', column: 'entity_id' },
  ],
  references: [{ table: 'entities', column: 'parent_id' }],
};

/**
 * Erases the contents of containers permanently, in batches. Each feature registers how its kinds are erased, so that
 * containers do not know them:
 *
 * eraser.register({ kind: 'comment', table: 'comments', parts: [{ table: 'comment_texts', column: 'comment_id' }] });
 */
@Injectable()
export class ContainerEraser {
  private kinds: Erasing[] = [];
  private readonly attachments: Attachments[] = [EVERYWHERE];

  constructor(
    private readonly database: Database,
    private readonly eventEraser: EventEraser,
  ) {}

  register(...erasings: Erasing[]): void {
    this.kinds = inOrder([...this.kinds, ...erasings]);
  }

  /** Registers references to entities of every kind. */
  attach(attachments: Attachments): void {
    this.attachments.push(attachments);
  }

  /** The number of entities to be erased, without the containers themselves. */
  async count({ endeavourIds, organizationId }: EraseTarget): Promise<number> {
    let count = 0;
    for (const erasing of this.kinds) {
      const row = await this.database.one<{ things: number }>(
        `SELECT count(${erasing.within === undefined ? '*' : 'DISTINCT id'})::integer AS things FROM (${idsOf(erasing)}) inside`,
        [endeavourIds, organizationId],
      );
      count += row?.things ?? 0;
    }
    return count;
  }

  /** Erases at most that many entities and returns their number; 0 if none is left. */
  async eraseSome({ endeavourIds, organizationId }: EraseTarget, limit: number): Promise<number> {
    for (const erasing of this.kinds) {
      const rows = await this.database.query<{ id: string }>(
        `SELECT DISTINCT id FROM (SELECT id FROM (${idsOf(erasing)}) inside LIMIT $3) piece`,
        [endeavourIds, organizationId, limit],
      );
      if (rows.length === 0) continue;
      const ids = rows.map(({ id }) => id).sort();
      await this.eventEraser.unlocked(() => this.erase(erasing, ids));
      return ids.length;
    }
    return 0;
  }

  /**
   * Erases empty containers and the references to them. Their entity rows stay without a name, for the event that
   * records the erasure.
   */
  async eraseContainers(kind: 'endeavour' | 'organization', ids: string[], parts: readonly Column[]): Promise<void> {
    await this.assertEmpty(kind, ids);
    const table = `${kind}s`;
    await this.eventEraser.unlocked(async () => {
      await this.detach({ kind, table, parts }, ids);
      await this.database.query(`DELETE FROM ${table} WHERE id = ANY($1::text[])`, [ids]);
      await this.database.query(
        `UPDATE entities SET title = 'Deleted ${kind}', deleted_at = coalesce(deleted_at, clock_timestamp())
         WHERE id = ANY($1::text[])`,
        [ids],
      );
    });
  }

  /**
   * Deletes entities of one kind and what belongs to them. Their entity rows and events stay, for histories and
   * synchronizing clients.
   */
  async deleteSome(kind: Kind, ids: string[]): Promise<void> {
    const erasing = this.kinds.find((one) => one.kind === kind);
    if (erasing === undefined) throw new Error(`no feature erases entities of the kind ${kind}`);
    const attachments = this.attachments.filter((one) => one !== EVERYWHERE);
    await this.eventEraser.unlocked(async () => {
      await this.detach(erasing, ids, attachments);
      await this.database.query(`DELETE FROM ${erasing.table} WHERE id = ANY($1::text[])`, [ids]);
      await this.database.query(`UPDATE entities SET deleted_at = clock_timestamp() WHERE id = ANY($1::text[])`, [ids]);
    });
  }

  private async erase(erasing: Erasing, ids: string[]): Promise<void> {
    await this.detach(erasing, ids);
    await this.database.query(`DELETE FROM ${erasing.table} WHERE id = ANY($1::text[])`, [ids]);
    await this.database.query('DELETE FROM entities WHERE id = ANY($1::text[])', [ids]);
  }

  private async detach(erasing: Erasing, ids: string[], attachments = this.attachments): Promise<void> {
    for (const { before = [], parts = [], references = [] } of [erasing, ...attachments]) {
      for (const sql of before) await this.database.query(sql, [ids]);
      for (const reference of references) await this.database.query(cleared(reference), [ids]);
      for (const { table, column } of parts) {
        await this.database.query(`DELETE FROM ${table} WHERE ${column} = ANY($1::text[])`, [ids]);
      }
    }
  }

  /** Fails if an entity is left whose kind is not registered: it would remain without a container. */
  private async assertEmpty(kind: 'endeavour' | 'organization', ids: string[]): Promise<void> {
    const rows = await this.database.query<{ kind: Kind }>(
      `SELECT DISTINCT x.kind FROM entities x WHERE x.${kind}_id = ANY($1::text[]) AND x.id <> ALL($1::text[])
         AND x.kind <> 'endeavour'`,
      [ids],
    );
    if (rows.length === 0) return;
    throw new Error(`no feature erases these entities of the ${kind}: ${rows.map((row) => row.kind).join(', ')}`);
  }
}

const cleared = ({ table, column, with: others = [] }: ReferencingColumn): string =>
  `UPDATE ${table} SET ${[column, ...others].map((name) => `${name} = NULL`).join(', ')} WHERE ${column} = ANY($1::text[])`;

/** The entities of a kind that are in the containers by their entity rows, or by the rule of the kind. */
const idsOf = ({ kind, within }: Erasing): string =>
  within ??
  `SELECT x.id FROM entities x WHERE x.kind = '${kind}' AND x.endeavour_id = ANY($1::text[])
   UNION ALL SELECT x.id FROM entities x
   WHERE x.kind = '${kind}' AND x.endeavour_id IS NULL AND x.organization_id = $2::text`;
