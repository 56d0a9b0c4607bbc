import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { usersWithIds } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';
import { isManagedBy } from './teams/managed.view.js';
import { Resource } from './resource.entity.js';

/** Reads and locks resources. */
@Injectable()
export class ResourcesRepository {
  constructor(private readonly database: Database) {}

  lock(id: string): Promise<Resource> {
    return this.database.row(Resource, id, { locked: true });
  }

  /** Keeps the resource from being deleted until the transaction ends; false if it does not exist any more. */
  async protectFromDeletion(id: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM resources r WHERE r.id = $1 AND r.deleted_at IS NULL FOR KEY SHARE',
      [id],
    );
    return rows.length > 0;
  }

  /** Waits for transactions that assign work to the resource, and blocks new ones until the commit. */
  lockAgainstAssignments(id: string): Promise<void> {
    return this.database.lockExclusively(Resource, id);
  }

  /**
   * Whether the caller manages the resource, not considering the administrator role; undefined if it does not exist.
   */
  async isManagedBy(me: Caller, id: string): Promise<boolean | undefined> {
    const row = await this.database.one<{ managed: boolean }>(
      `SELECT ${isManagedBy('r', '$2', '$3')} AS managed FROM resources r WHERE r.id = $1`,
      [id, me.userId, me.resourceId],
    );
    return row?.managed;
  }

  /** Whether the user is an agent that is managed by a person. */
  async isManagedAgent(userId: string): Promise<boolean> {
    return (
      (await this.database.one(`SELECT 1 FROM ${usersWithIds('u', '$1')} AND u.is_managed`, [userId])) !== undefined
    );
  }

  /** The given resources that are neither people nor teams. */
  async neitherPeopleNorTeams(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT r.id FROM resources r WHERE r.id = ANY($1::text[]) AND r.user_id IS NULL AND r.type <> 'team'`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
