import { Injectable } from '@nestjs/common';
import { homeOrganizationOf } from '../../../access/memberships/home.js';
import { Database } from '../../../platform/database/database.js';
import { rowsAsJson, type Wire } from '../../../platform/database/views/view.js';
import type { TextScope } from '../../../platform/text-observers/text-observers.js';
import { alertTermView } from './alert.view.js';

export type AlertTermView = Wire<typeof alertTermView>;

/** A term to be stored, with its normalized form. */
export interface NewTerm {
  id: string;
  term: string;
  weight: number;
  folded: string;
}

/** An alert term of an organization. */
export interface WatchedTerm extends Omit<NewTerm, 'id'> {
  organizationId: string;
}

/** The organization of the endeavour `$1`, or of the endeavour that contains the entity `$3`. */
const HOME = homeOrganizationOf('coalesce($1, (SELECT x.endeavour_id FROM entities x WHERE x.id = $3))');

/** Reads and writes alert terms. */
@Injectable()
export class AlertTermsRepository {
  constructor(private readonly database: Database) {}

  async termsOf(organizationId: string): Promise<AlertTermView[]> {
    const { select, from } = rowsAsJson(alertTermView);
    const rows = await this.database.query<{ body: AlertTermView }>(
      `SELECT ${select} FROM ${from} WHERE a.organization_id = $1 ORDER BY a.folded`,
      [organizationId],
    );
    return rows.map(({ body }) => body);
  }

  /** The alert terms that apply to texts in the container. A single indexed lookup, because it runs for every text. */
  termsFor({ endeavourId, organizationId, parentId }: TextScope): Promise<WatchedTerm[]> {
    return this.database.query<WatchedTerm>(
      `SELECT t.organization_id AS "organizationId", t.term, t.folded, t.weight FROM alert_terms t
       WHERE t.organization_id = coalesce($2, ${HOME}) ORDER BY t.folded`,
      [endeavourId ?? null, organizationId ?? null, parentId ?? null],
    );
  }

  /** Replaces the terms of the organization; existing terms keep their ids. */
  async replace(organizationId: string, terms: readonly NewTerm[]): Promise<void> {
    await this.database.query('DELETE FROM alert_terms WHERE organization_id = $1 AND folded <> ALL($2::text[])', [
      organizationId,
      terms.map(({ folded }) => folded),
    ]);
    await this.database.query(
      `INSERT INTO alert_terms (id, organization_id, term, folded, weight)
       SELECT sent.id, $1, sent.term, sent.folded, sent.weight
       FROM json_to_recordset($2::json) AS sent (id text, term text, folded text, weight smallint)
       ON CONFLICT (organization_id, folded) DO UPDATE SET term = excluded.term, weight = excluded.weight`,
      [organizationId, JSON.stringify(terms)],
    );
  }
}
