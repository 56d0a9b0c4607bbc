import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { AuthorizedResource } from '../../access/access.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';

/** A role, its container, and the organization that grants it in an endeavour; null if direct. */
export interface GrantedRole {
  role: string;
  container_id: string | null;
  through: string | null;
}

/** Reads the roles on which permissions are based. */
@Injectable()
export class RightsRepository {
  constructor(private readonly database: Database) {}

  /** The caller's roles in the container of the entity, highest first. */
  async rolesAt(
    me: Caller,
    { place: { endeavourId, organizationId } }: Pick<AuthorizedResource, 'place'>,
  ): Promise<GrantedRole[]> {
    return this.database.query<GrantedRole>(
      `SELECT role, container_id, through FROM (
         SELECT ($2::text[])[g.rank] AS role, g.endeavour_id AS container_id, g.organization_id AS through, g.rank
         FROM endeavour_grants g WHERE g.user_id = $1 AND g.endeavour_id = $4::text
         UNION ALL SELECT ($3::text[])[role_rank(m.role)], m.organization_id, NULL, role_rank(m.role)
         FROM organization_resources m WHERE m.user_id = $1 AND m.organization_id = $5::text AND $4::text IS NULL) roles
       ORDER BY rank DESC, through NULLS FIRST`,
      [me.userId, ENDEAVOUR_ROLES, ORGANIZATION_ROLES, endeavourId ?? null, organizationId ?? null],
    );
  }
}
