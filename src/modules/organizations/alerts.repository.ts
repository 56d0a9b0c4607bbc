import { Injectable } from '@nestjs/common';
import { seenBy } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/view.js';
import { alertView } from './alert.view.js';

/** The statements of single alerts. */
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

  /** Undefined if the entity that contains the term is not visible to the caller. */
  async read(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `a.id = $2 AND EXISTS (SELECT 1 FROM entities x WHERE x.id = a.entity_id AND ${seenBy(me)})`;
    const row = await this.database.one<Json>(oneAsJson(alertView, where, fields), [me.userId, id]);
    return row && Representation.of(row);
  }
}
