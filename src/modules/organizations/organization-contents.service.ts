import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** The endeavours of an organization: those whose home it is, and those that it only shares. */
export interface Linked {
  own: string[];
  shared: string[];
}

/** Finds the endeavours of an organization, for what happens to all of them. */
@Injectable()
export class OrganizationContents {
  constructor(private readonly database: Database) {}

  /**
   * Waits for the writers in these endeavours, in order, and locks them exclusively like `Database.holdAlone`. Shared
   * endeavours are known only afterwards.
   */
  async lockEndeavours(id: string): Promise<void> {
    await this.database.query(
      `WITH locked AS (
         SELECT e.id FROM endeavours e JOIN organization_endeavours l ON l.endeavour_id = e.id
         WHERE l.organization_id = $1 ORDER BY e.id FOR UPDATE OF e)
       UPDATE endeavours e SET holds = holds + 1 FROM locked WHERE e.id = locked.id`,
      [id],
    );
  }

  async linked(id: string): Promise<Linked> {
    const rows = await this.database.query<{ endeavour_id: string; is_shared: boolean }>(
      `SELECT l.endeavour_id, NOT l.is_home AS is_shared
       FROM organization_endeavours l WHERE l.organization_id = $1 ORDER BY l.endeavour_id`,
      [id],
    );
    const ids = (isShared: boolean) =>
      rows.filter(({ is_shared }) => is_shared === isShared).map(({ endeavour_id }) => endeavour_id);
    return { own: ids(false), shared: ids(true) };
  }
}
