import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Organization } from './organization.entity.js';

/** Locks organizations. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  /** Locks an organization regardless of its visibility; undefined if it does not exist. */
  async lock(id: string): Promise<Organization | undefined> {
    const row = await this.database.one('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return row && this.database.row(Organization, id);
  }
}
