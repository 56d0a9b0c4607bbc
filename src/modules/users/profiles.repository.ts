import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { creationsKey, usageSql, type TierUsage } from '../../access/tiers/tiers.js';
import type { NotifySettings } from '../../common/notifications.js';
import { ENDEAVOUR_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { TIER_LIMITS, type TierLimits } from '../../common/tiers.js';
import { Database } from '../../platform/database/database.js';

/** A user with the limits and usage of the tier, and the roles. */
export interface ProfileRow extends TierLimits {
  user_id: string;
  name: string;
  /** Null for agents. */
  email: string | null;
  status: string;
  user_type: string;
  lang: string;
  timezone: string;
  email_copy: boolean;
  notify: Partial<NotifySettings>;
  is_admin: boolean;
  resource_id: string;
  login_count: number;
  last_active_at: Date | null;
  created_at: Date;
  tier: number;
  tier_name: string;
  used: TierUsage;
  organizations: Record<string, OrganizationRole>;
  endeavours: Record<string, EndeavourRole>;
}

const PROFILE = `
  SELECT u.id AS user_id, u.name, CASE WHEN NOT u.is_managed THEN u.email END AS email, u.status, u.user_type, u.lang, u.timezone, u.email_copy, u.notify, u.is_admin,
    u.resource_id, u.login_count, u.last_active_at, u.created_at, u.tier, t.name AS tier_name,
    ${TIER_LIMITS.map((name) => `t.${name}`).join(', ')},
    coalesce((SELECT json_object_agg(m.organization_id, m.role ORDER BY m.organization_id)
      FROM organization_resources m WHERE m.user_id = u.id), '{}') AS organizations,
    coalesce((SELECT json_object_agg(g.endeavour_id, ($2::text[])[g.rank] ORDER BY g.endeavour_id)
      FROM (SELECT endeavour_id, max(rank) AS rank FROM endeavour_grants WHERE user_id = u.id GROUP BY 1) g),
      '{}') AS endeavours,
    ${usageSql('$3::text', '$4')} AS used
  FROM users u JOIN tiers t ON t.id = u.tier WHERE u.id = $1`;

/** Reads the profiles of users. */
@Injectable()
export class ProfilesRepository {
  constructor(private readonly database: Database) {}

  async read(me: Caller): Promise<ProfileRow> {
    const row = await this.database.queryPipelined<ProfileRow>(PROFILE, [
      me.userId,
      ENDEAVOUR_ROLES,
      me.resourceId,
      creationsKey(me),
    ]);
    if (row === undefined) throw new Error(`user ${me.userId} does not exist`);
    return row;
  }
}
