import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import type { TierLimits } from '../../common/tiers.js';
import { Database } from '../../platform/database/database.js';
import { counterKey, Counters, presentCount } from '../../platform/limits/counters.js';
import type { Caller } from '../authentication/caller.js';

const HOUR_SECONDS = 3600;
const VELOCITY = 'creations';

/** The usage of each limit; for limits per organization, the highest usage in one organization. */
export type TierUsage = Record<keyof TierLimits, number>;

/** The user whose tier applies, and its limits. */
type TierUser = Pick<Caller, 'userId' | 'resourceId' | 'isAdmin' | 'limits'>;

/** The limits per organization, with the SQL that counts the usage of the organization `$1`. */
const IN_ORGANIZATION = {
  max_endeavours_per_org: `SELECT count(*) FROM organization_endeavours l JOIN endeavours e ON e.id = l.endeavour_id
     WHERE l.organization_id = $1 AND e.status <> 'archived'`,
  max_agents_per_org: `SELECT count(*) FROM organization_resources m JOIN resources r ON r.id = m.resource_id
     WHERE m.organization_id = $1 AND r.type = 'agent' AND r.deleted_at IS NULL`,
  max_teams_per_org: `SELECT count(*) FROM organization_resources m JOIN resources r ON r.id = m.resource_id
     WHERE m.organization_id = $1 AND r.type = 'team' AND r.deleted_at IS NULL`,
} as const;

/** The limits per user, with the SQL that counts the usage of the user's resource `$1`. */
const OF_USER = {
  max_orgs: `SELECT count(*) FROM organizations o WHERE o.created_by = $1 AND o.status <> 'archived'`,
  max_active_endeavours: `SELECT count(*) FROM endeavours e WHERE e.created_by = $1 AND e.status = 'active'`,
} as const;

/**
 * Enforces the limits of the caller's tier (spec 03) in the transaction that would exceed them: 403 `tier_limit`, 429
 * `velocity_limit`. Counts the entities that the caller has created, except for archived ones. Executes no statement for
 * unlimited tiers and administrators.
 */
@Injectable()
export class Tiers {
  constructor(
    private readonly database: Database,
    private readonly counters: Counters,
  ) {}

  /** Called before an organization is created or unarchived. */
  assertMayCreateOrganization(me: TierUser): Promise<void> {
    return this.assertUserLimit(me, 'max_orgs');
  }

  /**
   * Called before an endeavour is created as active or becomes active. With an organization, also checks its limit of
   * endeavours; first, because organizations are locked before users.
   */
  async assertMayActivateEndeavour(me: TierUser, organizationId?: string): Promise<void> {
    if (organizationId !== undefined) await this.assertMayLinkEndeavour(me, organizationId);
    await this.assertUserLimit(me, 'max_active_endeavours');
  }

  /**
   * Called before endeavours are unarchived. All of them count in their home organization, if they have one; as active,
   * only those that the caller has created and that become active again. Without a stored state, they become active.
   */
  async assertMayRestoreEndeavours(
    me: TierUser,
    endeavourIds: readonly string[],
    organizationId: string | null,
  ): Promise<void> {
    if (endeavourIds.length === 0) return;
    const own = await this.countOwnActive(me, endeavourIds);
    if (own > 0) await this.assertUserLimit(me, 'max_active_endeavours', own);
    if (organizationId !== null) {
      await this.assertOrganizationLimit(me, 'max_endeavours_per_org', organizationId, endeavourIds.length);
    }
  }

  /** Called before an endeavour is linked to an organization or created in it. */
  assertMayLinkEndeavour(me: TierUser, organizationId: string): Promise<void> {
    return this.assertOrganizationLimit(me, 'max_endeavours_per_org', organizationId);
  }

  /** Called before a resource of that type is added to an organization; only agents and teams are limited. */
  async assertMayAddResource(me: TierUser, organizationId: string, type: string): Promise<void> {
    if (type === 'agent') await this.assertOrganizationLimit(me, 'max_agents_per_org', organizationId);
    if (type === 'team') await this.assertOrganizationLimit(me, 'max_teams_per_org', organizationId);
  }

  /** Called before a user joins an organization; an agent counts like one that is created there. */
  async assertMayJoin(me: TierUser, organizationId: string, resourceId: string): Promise<void> {
    if (limitOf(me, 'max_agents_per_org') === undefined) return;
    const row = await this.database.one<{ type: string }>('SELECT type FROM resources WHERE id = $1', [resourceId]);
    if (row !== undefined) await this.assertMayAddResource(me, organizationId, row.type);
  }

  /** Called before a resource is changed to that type; checks each organization that the resource is in. */
  async assertMayBecome(me: TierUser, resourceId: string, type: string): Promise<void> {
    if (type !== 'agent' || limitOf(me, 'max_agents_per_org') === undefined) return;
    const organizations = await this.database.query<{ id: string }>(
      'SELECT organization_id AS id FROM organization_resources WHERE resource_id = $1 ORDER BY 1',
      [resourceId],
    );
    for (const { id } of organizations) await this.assertMayAddResource(me, id, type);
  }

  /**
   * Counts one creation in its own transaction, so that a creation that is rolled back does not count. The request
   * interceptor calls this for every response with status 201; features do not.
   */
  async countCreated(me: TierUser): Promise<void> {
    const most = limitOf(me, 'max_creations_per_hour');
    if (most === undefined) return;
    const { count, endsIn } = await this.counters.count(VELOCITY, me.userId, HOUR_SECONDS);
    if (count <= most) return;
    const message = `Your tier allows ${most} creations per hour.`;
    throw new ApiError('velocity_limit', message, { limit: 'max_creations_per_hour', allowed: most }, endsIn);
  }

  /** Whether the number of creations per hour is limited for the caller. */
  countsCreations(me: TierUser): boolean {
    return limitOf(me, 'max_creations_per_hour') !== undefined;
  }

  /** How many of these endeavours count as active for the caller when they are unarchived; 0 if that is unlimited. */
  private async countOwnActive(me: TierUser, endeavourIds: readonly string[]): Promise<number> {
    if (limitOf(me, 'max_active_endeavours') === undefined) return 0;
    const row = await this.database.one<{ own: number }>(
      `SELECT count(*)::integer AS own FROM endeavours e LEFT JOIN archived_states state ON state.entity_id = e.id
       WHERE e.id = ANY($1::text[]) AND e.created_by = $2 AND coalesce(state.previous->>'status', 'active') = 'active'`,
      [endeavourIds, me.resourceId],
    );
    return row?.own ?? 0;
  }

  /** Locks the user's row, so that concurrent creations count each other. */
  private async assertUserLimit(me: TierUser, name: keyof typeof OF_USER, more = 1): Promise<void> {
    const most = limitOf(me, name);
    if (most === undefined) return;
    await this.database.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [me.userId]);
    await this.assertFits(name, { more, most }, OF_USER[name], me.resourceId);
  }

  private async assertOrganizationLimit(
    me: TierUser,
    name: keyof typeof IN_ORGANIZATION,
    organizationId: string,
    more = 1,
  ): Promise<void> {
    const most = limitOf(me, name);
    if (most === undefined) return;
    await this.database.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    await this.assertFits(name, { more, most }, IN_ORGANIZATION[name], organizationId);
  }

  private async assertFits(
    name: keyof TierLimits,
    { more, most }: { more: number; most: number },
    sql: string,
    parameter: string,
  ): Promise<void> {
    const row = await this.database.one<{ used: number }>(`SELECT (${sql})::integer AS used`, [parameter]);
    const used = row?.used ?? 0;
    if (used + more <= most) return;
    throw new ApiError('tier_limit', `Your tier allows at most ${most} of these.`, {
      limit: name,
      allowed: most,
      used,
    });
  }
}

/** The key of the counter of the user's creations. */
export const creationsKey = (me: TierUser): string => counterKey(VELOCITY, me.userId);

/** SQL: the {@link TierUsage} as a JSON object, from placeholders for the user's resource and {@link creationsKey}. */
export function usageSql(resource: string, key: string): string {
  const counts = [
    ...Object.entries(OF_USER).map(([name, sql]) => `(${sql})::integer AS ${name}`),
    ...Object.entries(IN_ORGANIZATION).map(([name, sql]) => `${highestOf(sql)}::integer AS ${name}`),
  ];
  return `(SELECT row_to_json(used) FROM (
    SELECT ${counts.join(', ').replaceAll('$1', resource)}, ${presentCount(key)} AS max_creations_per_hour) used)`;
}

/** SQL: the highest count in any organization that the resource `$1` has created. */
const highestOf = (sql: string): string =>
  `coalesce((SELECT max(used.n) FROM organizations o
     CROSS JOIN LATERAL (SELECT (${sql.replaceAll('$1', 'o.id')}) AS n) used
     WHERE o.created_by = $1 AND o.status <> 'archived'), 0)`;

/** The limit that applies to the user; undefined if it is unlimited. */
function limitOf({ isAdmin, limits }: TierUser, name: keyof TierLimits): number | undefined {
  const most = limits[name];
  return isAdmin || most < 0 ? undefined : most;
}
