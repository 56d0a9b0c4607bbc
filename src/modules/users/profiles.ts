import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { creationsKey, usageSql, type TierUsage } from '../../access/tiers.js';
import { fromWire } from '../../common/case.js';
import { ENDEAVOUR_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { mergedSettings, notifySettings, type NotifySettings } from '../../common/notifications.js';
import { limitsIn, TIER_LIMITS, type TierLimits } from '../../common/tiers.js';
import { Database } from '../../platform/database/database.js';
import type { OwnProfile } from './own-fields.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

type Unprefixed<S> = S extends `max_${infer Subject}` ? Subject : never;

/** How much of each limit is used, by the limit's subject: `orgs`, `active_endeavours` and so on. */
export type Usage = Record<Unprefixed<keyof TierLimits>, number>;

/** The whoami answer: the profile, the limits of the tier, and the roles. */
export interface Profile {
  user_id: string;
  name: string;
  /** Null for agents. */
  email: string | null;
  status: string;
  user_type: string;
  lang: string;
  timezone: string;
  email_copy: boolean;
  notify: NotifySettings;
  is_admin: boolean;
  resource_id: string;
  login_count: number;
  last_active_at: string | null;
  created_at: string;
  tier: number;
  tier_name: string;
  tier_limits: TierLimits;
  tier_usage: Usage;
  organizations: Record<string, OrganizationRole>;
  endeavours: Record<string, EndeavourRole>;
}

type ProfileRow = Omit<Profile, 'last_active_at' | 'created_at' | 'tier_limits' | 'tier_usage' | 'notify'> &
  TierLimits & {
    last_active_at: Date | null;
    created_at: Date;
    used: TierUsage;
    notify: Partial<NotifySettings>;
  };

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

/** Reads and updates profiles for their users. */
@Injectable()
export class Profiles {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
  ) {}

  async read(me: Caller): Promise<Profile> {
    const row = await this.database.queryPipelined<ProfileRow>(PROFILE, [
      me.userId,
      ENDEAVOUR_ROLES,
      me.resourceId,
      creationsKey(me),
    ]);
    if (row === undefined) throw new Error('no row for the caller');
    return {
      user_id: row.user_id,
      name: row.name,
      email: row.email,
      status: row.status,
      user_type: row.user_type,
      lang: row.lang,
      timezone: row.timezone,
      email_copy: row.email_copy,
      notify: notifySettings(row.notify),
      is_admin: row.is_admin,
      resource_id: row.resource_id,
      login_count: row.login_count,
      last_active_at: row.last_active_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      tier: row.tier,
      tier_name: row.tier_name,
      tier_limits: limitsIn(row),
      tier_usage: bySubject(row.used),
      organizations: row.organizations,
      endeavours: row.endeavours,
    };
  }

  async update(me: Caller, { notify, ...own }: OwnProfile): Promise<Profile> {
    if (notify === undefined) return this.change(me, fromWire(own));
    const { notify: present } = await this.database.row(User, me.userId, { locked: true });
    return this.change(me, { ...fromWire(own), notify: mergedSettings(present, notify) });
  }

  /** The address must have been proved before. */
  changeEmail(me: Caller, email: string): Promise<Profile> {
    return this.change(me, { email });
  }

  private async change(me: Caller, changes: Partial<User>): Promise<Profile> {
    await this.users.changeSelf(me.userId, changes);
    return this.read(me);
  }
}

const bySubject = (used: TierUsage): Usage =>
  Object.fromEntries(Object.entries(used).map(([name, n]) => [name.replace(/^max_/, ''), n])) as Usage;
