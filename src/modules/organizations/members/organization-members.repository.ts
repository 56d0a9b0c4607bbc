import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { Member } from '../../../access/memberships/membership-rows.js';
import type { OrganizationRole } from '../../../common/roles.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type Json } from '../../../platform/database/views/view.js';
import { organizationMemberView } from './organization-member.view.js';

/** Reads members of organizations; `MembershipRows` has the shared statements. */
@Injectable()
export class OrganizationMembersRepository {
  constructor(private readonly database: Database) {}

  async read(me: Caller, organizationId: string, userId: string): Promise<Representation> {
    const sql = oneAsJson(organizationMemberView, 'm.id = $2 AND m.organization_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, userId, organizationId]));
  }

  /** The membership of the user; undefined if the user is not a member. */
  memberOfUser(organizationId: string, userId: string): Promise<Member | undefined> {
    return this.database.one<Member>(
      `SELECT resource_id AS "resourceId", user_id AS "userId" FROM organization_resources
       WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId],
    );
  }

  /**
   * The user of a resource in the organization, null if it represents no user; undefined if it is not in the
   * organization.
   */
  memberOfResource(organizationId: string, resourceId: string): Promise<Pick<Member, 'userId'> | undefined> {
    return this.database.one<Pick<Member, 'userId'>>(
      'SELECT user_id AS "userId" FROM organization_resources WHERE organization_id = $1 AND resource_id = $2',
      [organizationId, resourceId],
    );
  }

  /** Sets the capacity of a member; returns the role, or undefined if the member had this capacity already. */
  async setCapacity(
    organizationId: string,
    { resourceId }: Member,
    capacity: number | null,
  ): Promise<OrganizationRole | undefined> {
    const row = await this.database.one<{ role: OrganizationRole }>(
      `UPDATE organization_resources SET capacity = $3
       WHERE organization_id = $1 AND resource_id = $2 AND capacity IS DISTINCT FROM $3 RETURNING role`,
      [organizationId, resourceId, capacity],
    );
    return row?.role;
  }

  /** Whether a directory has made the user a member, whose role is still the one that it gives. */
  async isOfDirectory(organizationId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM organization_resources
       WHERE organization_id = $1 AND user_id = $2 AND added_by IS NULL AND role = 'member'`,
      [organizationId, userId],
    );
    return rows.length > 0;
  }

  /** The resource ids of the admins and owners. */
  async adminsOf(organizationId: string): Promise<string[]> {
    const rows = await this.database.query<{ resource_id: string }>(
      `SELECT resource_id FROM organization_resources
       WHERE organization_id = $1 AND user_id IS NOT NULL AND role_rank(role) >= 3 ORDER BY resource_id`,
      [organizationId],
    );
    return rows.map(({ resource_id }) => resource_id);
  }
}
