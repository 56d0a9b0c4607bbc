import { Injectable } from '@nestjs/common';
import { isActivePerson, joinUserOf } from '../../../access/visibility/people.view.js';
import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { Database } from '../../../platform/database/database.js';

/** Reads the home organizations and creators of resources. */
@Injectable()
export class ResourceHomesRepository {
  constructor(private readonly database: Database) {}

  homeOf(resourceId: string): Promise<{ isUser: boolean; organizationId: string | null } | undefined> {
    return this.database.one(
      `SELECT user_id IS NOT NULL AS "isUser", organization_id AS "organizationId"
       FROM resources WHERE id = $1 AND deleted_at IS NULL`,
      [resourceId],
    );
  }

  /** The user who created the resource. */
  async creatorOf(resourceId: string): Promise<string | null> {
    const row = await this.database.one<{ user_id: string | null }>(
      'SELECT creator.user_id FROM resources r JOIN resources creator ON creator.id = r.created_by WHERE r.id = $1',
      [resourceId],
    );
    return row?.user_id ?? null;
  }

  /** Whether an active person created the resource. An agent does not count: it has its rights from its manager. */
  async hasActiveCreator(resourceId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM resources r ${joinUserOf('u', 'r.created_by')} WHERE r.id = $1 AND ${isActivePerson('u')}`,
      [resourceId],
    );
    return row !== undefined;
  }

  /** How many open tasks and demands of the organization's endeavours the resource is assigned to or owns. */
  async countOpenWork(resourceId: string, organizationId: string): Promise<number> {
    const row = await this.database.one<{ open: number }>(
      `SELECT count(*)::integer AS open FROM endeavour_workers w ${joinEndeavour('e', 'w.endeavour_id')}
       WHERE w.resource_id = $1 AND w.is_open AND e.organization_id = $2`,
      [resourceId, organizationId],
    );
    return row?.open ?? 0;
  }
}
