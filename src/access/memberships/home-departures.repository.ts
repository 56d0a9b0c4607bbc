import { Injectable } from '@nestjs/common';
import type { EndeavourRole } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';

/** The link of an endeavour or a resource to an organization that is not its home. */
export interface SharingLink {
  organization_id: string;
  endeavour_id: string | null;
  resource_id: string | null;
}

interface DirectRole {
  endeavour_id: string;
  role: EndeavourRole;
}

/** A direct role in an endeavour, with everything that gives it back. */
export interface FormerRole extends DirectRole {
  stakeholder_roles: string[];
}

/** SQL for `IN (...)`: the organizations in which user `$2` is admin or owner, also those that are withheld from a session. */
export const ADMINISTERED = `SELECT led.organization_id FROM public.organization_resources led WHERE led.user_id = $2 AND role_rank(led.role) >= 3`;

/**
 * Reads and ends a user's roles in the endeavours of an organization, and the members and links that the user added to
 * its endeavours and resources. In every statement, `$1` is the organization and `$2` the user.
 */
@Injectable()
export class HomeDeparturesRepository {
  constructor(private readonly database: Database) {}

  /** Returns direct members from outside the organization whom the user added. */
  outsidersBy(organizationId: string, userId: string): Promise<(DirectRole & { user_id: string })[]> {
    return this.database.query(
      `SELECT m.endeavour_id, m.user_id, m.role FROM endeavour_members m JOIN endeavours e ON e.id = m.endeavour_id
       WHERE e.organization_id = $1 AND m.added_by = $2 AND m.user_id <> $2
         AND NOT EXISTS (SELECT 1 FROM organization_resources inside
                         WHERE inside.organization_id = $1 AND inside.user_id = m.user_id)
       ORDER BY m.endeavour_id, m.user_id`,
      [organizationId, userId],
    );
  }

  /** Returns the links that the user created. */
  linksBy(organizationId: string, userId: string): Promise<SharingLink[]> {
    return this.database.query(
      `SELECT l.organization_id, l.endeavour_id, NULL AS resource_id
       FROM organization_endeavours l JOIN endeavours e ON e.id = l.endeavour_id
       WHERE e.organization_id = $1 AND l.linked_by = $2 AND NOT l.is_home
       UNION ALL
       SELECT m.organization_id, NULL, m.resource_id
       FROM organization_resources m JOIN resources r ON r.id = m.resource_id
       WHERE r.organization_id = $1 AND m.added_by = $2 AND m.organization_id <> $1
       ORDER BY 1, 2, 3`,
      [organizationId, userId],
    );
  }

  /** The direct roles of the user in the endeavours of the organization, in the order in which they are locked. */
  rolesOf(organizationId: string, userId: string): Promise<FormerRole[]> {
    return this.database.query(
      `SELECT m.endeavour_id, m.role, m.stakeholder_roles FROM endeavour_members m JOIN endeavours e ON e.id = m.endeavour_id
       WHERE e.organization_id = $1 AND m.user_id = $2 ORDER BY m.endeavour_id`,
      [organizationId, userId],
    );
  }

  /** Those of the endeavours that are at home in the organization, and in which roles can be given. */
  async openAtHome(organizationId: string, endeavourIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT e.id FROM endeavours e
       WHERE e.organization_id = $1 AND e.id = ANY($2::text[]) AND e.status <> 'archived' AND e.closed_by IS NULL
       ORDER BY e.id`,
      [organizationId, endeavourIds],
    );
    return rows.map(({ id }) => id);
  }

  endRoles(organizationId: string, userId: string): Promise<DirectRole[]> {
    return this.database.query(
      `WITH gone AS (DELETE FROM endeavour_members m USING endeavours e
         WHERE e.id = m.endeavour_id AND e.organization_id = $1 AND m.user_id = $2 RETURNING m.endeavour_id, m.role)
       SELECT endeavour_id, role FROM gone ORDER BY endeavour_id`,
      [organizationId, userId],
    );
  }

  /** Lowers roles above `member` to `member`; returns the previous roles. */
  lowerRoles(organizationId: string, userId: string): Promise<DirectRole[]> {
    return this.database.query(
      `WITH higher AS (SELECT m.endeavour_id, m.role FROM endeavour_members m JOIN endeavours e ON e.id = m.endeavour_id
         WHERE e.organization_id = $1 AND m.user_id = $2 AND role_rank(m.role) > 2 FOR NO KEY UPDATE OF m),
       lowered AS (UPDATE endeavour_members m SET role = 'member' FROM higher
         WHERE m.endeavour_id = higher.endeavour_id AND m.user_id = $2)
       SELECT endeavour_id, role FROM higher ORDER BY endeavour_id`,
      [organizationId, userId],
    );
  }

  /** Deletes the links to organizations in which the user is admin or owner; returns them. */
  deleteLinks(organizationId: string, userId: string): Promise<SharingLink[]> {
    return this.database.query(
      `WITH endeavours_cut AS (DELETE FROM organization_endeavours l USING endeavours e
         WHERE e.id = l.endeavour_id AND e.organization_id = $1 AND NOT l.is_home AND l.organization_id IN (${ADMINISTERED})
         RETURNING l.organization_id, l.endeavour_id),
       resources_cut AS (DELETE FROM organization_resources m USING resources r
         WHERE r.id = m.resource_id AND r.organization_id = $1 AND m.organization_id <> $1 AND m.organization_id IN (${ADMINISTERED})
         RETURNING m.organization_id, m.resource_id)
       SELECT organization_id, endeavour_id, NULL AS resource_id FROM endeavours_cut
       UNION ALL SELECT organization_id, NULL, resource_id FROM resources_cut ORDER BY 1, 2, 3`,
      [organizationId, userId],
    );
  }
}
