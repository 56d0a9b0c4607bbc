import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import { Database } from '../../platform/database/database.js';
import { REDACTED } from './redaction.rules.js';

/** A change, with the current container of its entity. */
export interface RecordedChange {
  entityType: Kind;
  entityId: string;
  endeavourId: string | null;
  organizationId: string | null;
}

/** SQL of the values that replace the fields of earlier policy versions. */
const BLANK: Record<string, string> = { name: `'${REDACTED}'`, description: 'NULL', metadata: `'{}'::jsonb` };

/** Finds changes, and redacts copies of earlier texts outside the events. */
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

  /** Blanks a field of the policy versions that were replaced by newer ones; returns their number. */
  async blankEarlierVersions(policyId: string, field: string): Promise<number> {
    const blank = BLANK[field];
    const rows = await this.database.query<{ id: string }>(
      `WITH RECURSIVE chain AS (
         SELECT id, predecessor_id, origin FROM dod_policies WHERE id = $1
         UNION
         SELECT older.id, older.predecessor_id, older.origin FROM chain JOIN dod_policies older
           ON older.id = chain.predecessor_id WHERE chain.origin = 'custom')
       UPDATE dod_policies p SET ${field} = ${blank}
       WHERE p.id IN (SELECT id FROM chain) AND p.origin <> 'template' AND p.${field} IS DISTINCT FROM ${blank}
         AND EXISTS (SELECT 1 FROM dod_policies newer WHERE newer.predecessor_id = p.id AND newer.origin = 'custom')
       RETURNING p.id`,
      [policyId],
    );
    if (field === 'name') {
      await this.database.query('UPDATE entities SET title = $2 WHERE id = ANY($1)', [
        rows.map(({ id }) => id),
        REDACTED,
      ]);
    }
    return rows.length;
  }
}
