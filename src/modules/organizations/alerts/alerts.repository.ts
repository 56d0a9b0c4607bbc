import { Injectable } from '@nestjs/common';
import { isVisibleTo } from '../../../access/visibility/access-statements.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../../platform/database/views/view.js';
import type { ObservedText } from '../../../platform/text-observers/text-observers.js';
import type { WatchedTerm } from './alert-terms.repository.js';
import { alertView } from './alert.view.js';

/** A term that was found in a text, with the surrounding passage. */
export interface FoundTerm extends WatchedTerm {
  id: string;
  excerpt: string;
}

/** Reads and writes alerts. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly database: Database) {}

  async organizationOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM alerts WHERE id = $1',
      [id],
    );
    return row?.organizationId;
  }

  /** Reads the alert; undefined if the entity that contains the term is not visible to the caller. */
  async read(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `a.id = $2 AND EXISTS (SELECT 1 FROM entities x WHERE x.id = a.entity_id AND ${isVisibleTo(me)})`;
    const row = await this.database.one<Json>(oneAsJson(alertView, where, fields), [me.userId, id]);
    return row && Representation.of(row);
  }

  /** Stores the terms that were found in a text of the entity. */
  async insert(
    found: readonly FoundTerm[],
    { kind, entityId }: Pick<ObservedText, 'kind' | 'entityId'>,
    authorId: string | null,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO alerts (id, organization_id, entity_type, entity_id, term, weight, excerpt, author_id)
       SELECT caught.id, caught."organizationId", $2, $3, caught.term, caught.weight, caught.excerpt, $4
       FROM json_to_recordset($1::json)
         AS caught (id text, "organizationId" text, term text, weight smallint, excerpt text)`,
      [JSON.stringify(found), kind, entityId, authorId],
    );
  }

  /** Removes the text around the terms from the alerts about an entity; returns the number of changed alerts. */
  async eraseExcerpts(entityId: string): Promise<number> {
    const rows = await this.database.query(
      'UPDATE alerts SET excerpt = term WHERE entity_id = $1 AND excerpt <> term RETURNING 1',
      [entityId],
    );
    return rows.length;
  }
}
