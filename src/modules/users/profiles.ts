import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { CreationTally } from '../../access/tiers/creation-tally.js';
import { creationsKey, type TierUsage } from '../../access/tiers/tiers.js';
import { fromWire } from '../../common/texts/case.js';
import { mergedSettings, notifySettings, type NotifySettings } from '../../common/notifications.js';
import { limitsIn, type TierLimits } from '../../common/tiers.js';
import { Database } from '../../platform/database/database.js';
import type { OwnProfile } from './own-fields.js';
import { ProfilesRepository, type ProfileRow } from './profiles.repository.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

type Unprefixed<S> = S extends `max_${infer Subject}` ? Subject : never;

/** The usage of each limit, by the name of the limit without `max_`: `orgs`, `active_endeavours` and so on. */
export type Usage = Record<Unprefixed<keyof TierLimits>, number>;

/** The whoami response: the profile, the limits of the tier, and the roles. */
export interface Profile extends Omit<
  ProfileRow,
  keyof TierLimits | 'last_active_at' | 'created_at' | 'used' | 'notify'
> {
  notify: NotifySettings;
  last_active_at: string | null;
  created_at: string;
  profile_complete: true;
  tier_limits: TierLimits;
  tier_usage: Usage;
}

/** Reads and updates profiles for their users. */
@Injectable()
export class Profiles {
  constructor(
    private readonly database: Database,
    private readonly profiles: ProfilesRepository,
    private readonly tally: CreationTally,
    private readonly users: UsersService,
  ) {}

  /** The profile with the creations up to now. */
  async current(me: Caller): Promise<Profile> {
    const { stored: profile, pending } = await this.tally.readBeside(creationsKey(me), () => this.read(me));
    profile.tier_usage.creations_per_hour += pending;
    return profile;
  }

  private async read(me: Caller): Promise<Profile> {
    const row = await this.profiles.read(me);
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
      profile_complete: true,
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
    const { notify: current } = await this.database.row(User, me.userId, { locked: true });
    return this.change(me, { ...fromWire(own), notify: mergedSettings(current, notify) });
  }

  /** Changes the e-mail address, which must have been verified before. */
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
