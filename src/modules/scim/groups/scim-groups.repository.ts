import { Injectable } from '@nestjs/common';
import { resourceOfUser } from '../../../access/visibility/people.view.js';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import { scimCondition } from '../protocol/scim-conditions.list.js';
import type { Paging } from '../protocol/scim-documents.js';
import type { ScimFilter } from '../protocol/scim-filter.js';
import type { GroupMember, GroupRecord } from './scim-group.document.js';
import { ScimGroup } from './scim-group.entity.js';
import { FILTERABLE_GROUPS } from './scim-group.list.js';

/** A member of a group, with the resource that joins the team. */
export interface KnownMember {
  userId: string;
  resourceId: string;
  /** Whether the person belongs to the organization, and so can be in its teams. */
  isMember: boolean;
  /** The role there, if groups decide it; null for one that was given by hand. */
  groupRole: string | null;
  /** Whether a group has given the role. */
  viaGroup: boolean;
}

/** SQL: whether the team of the group still exists, and belongs to the organization. */
const EXISTS = `EXISTS (SELECT 1 FROM entities x WHERE x.id = g.team_id AND x.deleted_at IS NULL
  AND x.organization_id = g.organization_id)`;

/** Reads and writes the groups of directories. */
@Injectable()
export class ScimGroupsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string, teamId: string): Promise<ScimGroup | undefined> {
    const row = await this.database.one(
      `SELECT ${this.columns} FROM scim_groups g WHERE g.organization_id = $1 AND g.team_id = $2 AND ${EXISTS}`,
      [organizationId, teamId],
    );
    return row && fromRow(this.database.source, ScimGroup, row);
  }

  /** A page of the groups that meet the filter, in the order in which they were added, and the number of all of them. */
  async page(
    organizationId: string,
    filter: ScimFilter | undefined,
    { startIndex, count }: Paging,
  ): Promise<{ total: number; groups: ScimGroup[] }> {
    const parameters: unknown[] = [organizationId];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const condition = filter === undefined ? 'true' : scimCondition(filter, FILTERABLE_GROUPS, bind);
    const where = `g.organization_id = $1 AND ${EXISTS} AND ${condition}`;
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::integer AS total FROM scim_groups g WHERE ${where}`,
      parameters,
    );
    if (count === 0) return { total, groups: [] };
    const rows = await this.database.query(
      `SELECT ${this.columns} FROM scim_groups g WHERE ${where}
       ORDER BY g.created_at, g.team_id OFFSET ${bind(startIndex - 1)} LIMIT ${bind(count)}`,
      parameters,
    );
    return { total, groups: rows.map((row) => fromRow(this.database.source, ScimGroup, row)) };
  }

  /** The members of groups, by group. */
  async membersOf(teamIds: readonly string[]): Promise<Map<string, GroupMember[]>> {
    const rows = await this.database.query<GroupMember & { teamId: string }>(
      `SELECT e.team_id AS "teamId", e.user_id AS value, coalesce(s.display_name, s.user_name) AS display
       FROM scim_group_members e JOIN scim_groups g ON g.team_id = e.team_id
         JOIN scim_users s ON s.organization_id = g.organization_id AND s.user_id = e.user_id AND s.deleted_at IS NULL
       WHERE e.team_id = ANY($1::text[]) ORDER BY e.team_id, e.user_id`,
      [teamIds],
    );
    const members = new Map<string, GroupMember[]>();
    for (const { teamId, value, display } of rows) {
      const known = members.get(teamId) ?? [];
      known.push({ value, display });
      members.set(teamId, known);
    }
    return members;
  }

  /** Those of the ids that the directory has added as people. */
  known(organizationId: string, userIds: readonly string[]): Promise<KnownMember[]> {
    return this.database.query<KnownMember>(
      `SELECT s.user_id AS "userId", ${resourceOfUser('s.user_id')} AS "resourceId", m.user_id IS NOT NULL AS "isMember",
         CASE WHEN m.via_group OR (m.added_by IS NULL AND m.role = 'member') THEN m.role END AS "groupRole",
         coalesce(m.via_group, false) AS "viaGroup"
       FROM scim_users s
         LEFT JOIN organization_resources m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
       WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND s.user_id = ANY($2::text[]) ORDER BY s.user_id`,
      [organizationId, userIds],
    );
  }

  /** The groups to which the directory counts the person. */
  async groupsWith(organizationId: string, userId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT g.team_id AS id FROM scim_group_members e JOIN scim_groups g ON g.team_id = e.team_id
       WHERE g.organization_id = $1 AND e.user_id = $2 AND ${EXISTS} ORDER BY g.team_id`,
      [organizationId, userId],
    );
    return rows.map(({ id }) => id);
  }

  /** What the groups of people are called, by person; a group also has the name that the directory uses itself. */
  async namesByMember(organizationId: string, userIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.database.query<{ userId: string; names: string[] }>(
      `SELECT e.user_id AS "userId", array_agg(called.name ORDER BY called.name) AS names
       FROM scim_group_members e JOIN scim_groups g ON g.team_id = e.team_id
         CROSS JOIN LATERAL unnest(ARRAY[g.display_name, g.external_id]) AS called (name)
       WHERE g.organization_id = $1 AND e.user_id = ANY($2::text[]) AND called.name IS NOT NULL AND ${EXISTS}
       GROUP BY e.user_id`,
      [organizationId, userIds],
    );
    return new Map(rows.map(({ userId, names }) => [userId, names]));
  }

  async isGroup(teamId: string): Promise<boolean> {
    const rows = await this.database.query(`SELECT 1 FROM scim_groups g WHERE g.team_id = $1 AND ${EXISTS}`, [teamId]);
    return rows.length > 0;
  }

  async insert(organizationId: string, teamId: string, { displayName, externalId }: GroupRecord): Promise<void> {
    await this.database.query(
      `INSERT INTO scim_groups (organization_id, team_id, display_name, external_id) VALUES ($1, $2, $3, $4)`,
      [organizationId, teamId, displayName, externalId],
    );
  }

  async update(teamId: string, { displayName, externalId }: GroupRecord): Promise<void> {
    await this.database.query(
      `UPDATE scim_groups SET display_name = $2, external_id = $3, updated_at = clock_timestamp(), revision = revision + 1
       WHERE team_id = $1`,
      [teamId, displayName, externalId],
    );
  }

  async addMembers(teamId: string, userIds: readonly string[]): Promise<void> {
    await this.database.query(
      'INSERT INTO scim_group_members (team_id, user_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
      [teamId, userIds],
    );
  }

  async removeMembers(teamId: string, userIds: readonly string[]): Promise<void> {
    await this.database.query('DELETE FROM scim_group_members WHERE team_id = $1 AND user_id = ANY($2::text[])', [
      teamId,
      userIds,
    ]);
  }

  /** Removes the person from all groups of the organization. */
  async forget(organizationId: string, userId: string): Promise<void> {
    await this.database.query(
      `DELETE FROM scim_group_members e USING scim_groups g
       WHERE g.team_id = e.team_id AND g.organization_id = $1 AND e.user_id = $2`,
      [organizationId, userId],
    );
  }

  async remove(teamId: string): Promise<void> {
    await this.database.query('DELETE FROM scim_group_members WHERE team_id = $1', [teamId]);
    await this.database.query('DELETE FROM scim_groups WHERE team_id = $1', [teamId]);
  }

  private get columns(): string {
    return columnsSql(this.database.source, ScimGroup, 'g');
  }
}
