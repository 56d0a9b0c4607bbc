import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import type { TierLimits } from '../common/tiers.js';
import { Database } from '../platform/database/database.js';
import { counterKey, Counters, presentCount } from '../platform/limits/counters.js';
import type { Caller } from './caller.js';

const HOUR_SECONDS = 3600;
const VELOCITY = 'creations';

/** How much of each limit is used; of the limits per organization, where the most is used. */
export type TierUsage = Record<keyof TierLimits, number>;

/** Whose tier it is, and which. */
type Holder = Pick<Caller, 'userId' | 'resourceId' | 'isAdmin' | 'limits'>;

/** What of an organization is limited, with the SQL that counts it for the organization `$1`. */
const IN_ORGANIZATION = {
  max_endeavours_per_org: `SELECT count(*) FROM organization_endeavours l JOIN endeavours e ON e.id = l.endeavour_id
     WHERE l.organization_id = $1 AND e.status <> 'archived'`,
  max_agents_per_org: `SELECT count(*) FROM organization_resources m JOIN resources r ON r.id = m.resource_id
     WHERE m.organization_id = $1 AND r.type = 'agent' AND r.deleted_at IS NULL`,
  max_teams_per_org: `SELECT count(*) FROM organization_resources m JOIN resources r ON r.id = m.resource_id
     WHERE m.organization_id = $1 AND r.type = 'team' AND r.deleted_at IS NULL`,
} as const;

const OF_USER = {
  max_orgs: `SELECT count(*) FROM organizations o WHERE o.created_by = $1 AND o.status <> 'archived'`,
  max_active_endeavours: `SELECT count(*) FROM endeavours e WHERE e.created_by = $1 AND e.status = 'active'`,
} as const;

/**
 * Checks the limits of the caller's tier (spec 03), in the transaction that would exceed them: 403 `tier_limit`, 429
 * `velocity_limit`. Counts what the caller has created, except for archived entities. Unlimited tiers and
 * administrators need no statement.
 */
@Injectable()
export class Tiers {
  constructor(
    private readonly database: Database,
    private readonly counters: Counters,
  ) {}

  /** Before an organization is created, or comes back from the archive. */
  assertMayCreateOrganization(me: Holder): Promise<void> {
    return this.assertOwn(me, 'max_orgs');
  }

  /** Before an endeavour is created as active or becomes so; with the organization it is created in, for its share too. */
  async assertMayActivateEndeavour(me: Holder, organizationId?: string): Promise<void> {
    await this.assertOwn(me, 'max_active_endeavours');
    if (organizationId !== undefined) await this.assertMayLinkEndeavour(me, organizationId);
  }

  /** Before endeavours come back from the archive all at once: those of them that would be active and the caller's own. */
  async assertMayRestoreEndeavours(me: Holder, endeavourIds: readonly string[]): Promise<void> {
    if (limitOf(me, 'max_active_endeavours') === undefined || endeavourIds.length === 0) return;
    const row = await this.database.one<{ own: number }>(
      `SELECT count(*)::integer AS own FROM endeavours e JOIN archived_states state ON state.entity_id = e.id
       WHERE e.id = ANY($1::text[]) AND e.created_by = $2 AND state.previous->>'status' = 'active'`,
      [endeavourIds, me.resourceId],
    );
    if (row !== undefined && row.own > 0) await this.assertOwn(me, 'max_active_endeavours', row.own);
  }

  /** Before an endeavour is linked to an organization or created in it. */
  assertMayLinkEndeavour(me: Holder, organizationId: string): Promise<void> {
    return this.assertIn(me, 'max_endeavours_per_org', organizationId);
  }

  /** Before a resource of that type is added to an organization; only agents and teams are limited. */
  async assertMayAddResource(me: Holder, organizationId: string, type: string): Promise<void> {
    if (type === 'agent') await this.assertIn(me, 'max_agents_per_org', organizationId);
    if (type === 'team') await this.assertIn(me, 'max_teams_per_org', organizationId);
  }

  /** Before a resource becomes one of that type, in each of the organizations that it is in. */
  async assertMayBecome(me: Holder, resourceId: string, type: string): Promise<void> {
    if (type !== 'agent' || limitOf(me, 'max_agents_per_org') === undefined) return;
    const organizations = await this.database.query<{ id: string }>(
      'SELECT organization_id AS id FROM organization_resources WHERE resource_id = $1 ORDER BY 1',
      [resourceId],
    );
    for (const { id } of organizations) await this.assertMayAddResource(me, id, type);
  }

  /**
   * Counts something created, in the transaction that creates it: what is rolled back is not counted. Called for every
   * 201 by the interceptor of the request; areas need not.
   */
  async countCreated(me: Holder): Promise<void> {
    const most = limitOf(me, 'max_creations_per_hour');
    if (most === undefined) return;
    const { count, endsIn } = await this.counters.count(VELOCITY, me.userId, HOUR_SECONDS);
    if (count <= most) return;
    const message = `Your tier allows ${most} creations per hour.`;
    throw new ApiError('velocity_limit', message, { limit: 'max_creations_per_hour', allowed: most }, endsIn);
  }

  /** Whether the caller may create only so much. */
  countsCreations(me: Holder): boolean {
    return limitOf(me, 'max_creations_per_hour') !== undefined;
  }

  /** The user's row is locked meanwhile, so that two creations at once count each other. */
  private async assertOwn(me: Holder, name: keyof typeof OF_USER, more = 1): Promise<void> {
    const most = limitOf(me, name);
    if (most === undefined) return;
    await this.database.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [me.userId]);
    await this.assertBelow(name, most - more + 1, OF_USER[name], me.resourceId, most);
  }

  private async assertIn(me: Holder, name: keyof typeof IN_ORGANIZATION, organizationId: string): Promise<void> {
    const most = limitOf(me, name);
    if (most === undefined) return;
    await this.database.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    await this.assertBelow(name, most, IN_ORGANIZATION[name], organizationId);
  }

  private async assertBelow(
    name: keyof TierLimits,
    below: number,
    sql: string,
    parameter: string,
    most = below,
  ): Promise<void> {
    const row = await this.database.one<{ used: number }>(`SELECT (${sql})::integer AS used`, [parameter]);
    const used = row?.used ?? 0;
    if (used < below) return;
    throw new ApiError('tier_limit', `Your tier allows at most ${most} of these.`, {
      limit: name,
      allowed: most,
      used,
    });
  }
}

/** The name under which the caller's creations are counted. */
export const creationsKey = (me: Holder): string => counterKey(VELOCITY, me.userId);

/** SQL for how much of each limit is used, as a JSON object, from placeholders for the resource and the key above. */
export function usageSql(resource: string, key: string): string {
  const counts = [
    ...Object.entries(OF_USER).map(([name, sql]) => `(${sql})::integer AS ${name}`),
    ...Object.entries(IN_ORGANIZATION).map(([name, sql]) => `${highestOf(sql)}::integer AS ${name}`),
  ];
  return `(SELECT row_to_json(used) FROM (
    SELECT ${counts.join(', ').replaceAll('$1', resource)}, ${presentCount(key)} AS max_creations_per_hour) used)`;
}

/** The highest count in any of the organizations that the resource `$1` has created. */
const highestOf = (sql: string): string =>
  `coalesce((SELECT max(used.n) FROM organizations o
     CROSS JOIN LATERAL (SELECT (${sql.replaceAll('$1', 'o.id')}) AS n) used
     WHERE o.created_by = $1 AND o.status <> 'archived'), 0)`;

/** The limit of that tier; undefined where there is none. */
function limitOf({ isAdmin, limits }: Holder, name: keyof TierLimits): number | undefined {
  const most = limits[name];
  return isAdmin || most < 0 ? undefined : most;
}
