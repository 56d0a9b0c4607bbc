import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Organization } from './organization.entity.js';

/** The rows of organizations. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  /** Locks an organization, visible to the caller or not; undefined where there is none. */
  async lock(id: string): Promise<Organization | undefined> {
    const found = await this.database.one('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return found && this.database.row(Organization, id);
  }
}
