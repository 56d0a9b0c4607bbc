import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import { Database } from '../../platform/database/database.js';

/** A change, with the current container of its entity. */
export interface RecordedChange {
  entityType: Kind;
  entityId: string;
  endeavourId: string | null;
  organizationId: string | null;
}

/** Finds recorded changes. */
@Injectable()
export class RedactionsRepository {
  constructor(private readonly database: Database) {}

  change(id: string): Promise<RecordedChange | undefined> {
    return this.database.one<RecordedChange>(
      `SELECT v.entity_type AS "entityType", v.entity_id AS "entityId", x.endeavour_id AS "endeavourId",
         x.organization_id AS "organizationId"
       FROM events v JOIN entities x ON x.id = v.entity_id WHERE v.id = $1`,
      [id],
    );
  }
}
