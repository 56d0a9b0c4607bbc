import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { ADMINISTERED } from '../../../access/memberships/home-departures.repository.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type Json } from '../../../platform/database/views/view.js';
import type { ResourceType } from '../resource.entity.js';
import { teamMemberView } from './team-member.view.js';

/** The role of a member in a team; a free text. */
export interface TeamRole {
  role: string | null;
}

/** The membership of a person in a team. */
export interface FormerTeam extends TeamRole {
  team_id: string;
}

/** A membership in a team that has ended, with the scope of the team. */
export interface EndedMembership extends TeamRole {
  teamId: string;
  resourceId: string;
  ownerUserId: string | null;
  organizationId: string | null;
}

/** Reads and writes the members of teams. */
@Injectable()
export class TeamsRepository {
  constructor(private readonly database: Database) {}

  async read(me: Caller, teamId: string, resourceId: string): Promise<Representation> {
    const sql = oneAsJson(teamMemberView, 'm.id = $2 AND m.team_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, resourceId, teamId]));
  }

  /** The ids of the teams of which the resource is a member. */
  async teamsOf(resourceId: string): Promise<string[]> {
    const rows = await this.database.query<{ team_id: string }>(
      'SELECT team_id FROM team_members WHERE resource_id = $1',
      [resourceId],
    );
    return rows.map(({ team_id }) => team_id);
  }

  /** The memberships of the resource in teams whose home is the organization. */
  membershipsIn(organizationId: string, resourceId: string): Promise<FormerTeam[]> {
    return this.database.query<FormerTeam>(
      `SELECT m.team_id, m.role FROM team_members m JOIN resources team ON team.id = m.team_id
       WHERE team.organization_id = $1 AND m.resource_id = $2 ORDER BY m.team_id`,
      [organizationId, resourceId],
    );
  }

  async countMembers(teamId: string): Promise<number> {
    const row = await this.database.one<{ members: number }>(
      'SELECT count(*)::integer AS members FROM team_members WHERE team_id = $1',
      [teamId],
    );
    return row?.members ?? 0;
  }

  /** The role of the member; undefined if the resource is not in the team. */
  async member(teamId: string, resourceId: string): Promise<TeamRole | undefined> {
    const [member] = await this.database.query<TeamRole>(
      'SELECT role FROM team_members WHERE team_id = $1 AND resource_id = $2',
      [teamId, resourceId],
    );
    return member;
  }

  /** Adds the member or updates its role; without a role, an existing member keeps its role. */
  async upsert(teamId: string, resourceId: string, role: string | null | undefined): Promise<void> {
    await this.database.query(
      `INSERT INTO team_members (team_id, resource_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (team_id, resource_id) DO UPDATE SET role = coalesce($3, team_members.role)`,
      [teamId, resourceId, role],
    );
  }

  /**
   * Adds those of the resources that can join the team and are not in it; none if the team is not at home in the
   * organization. Returns them.
   */
  async addAll({ team_id: teamId, role }: FormerTeam, home: string, resourceIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `WITH candidates AS (
         SELECT r.id FROM resources r JOIN resources team ON team.id = $1
         WHERE r.id = ANY($3::text[]) AND r.deleted_at IS NULL AND team.organization_id = $2 AND is_of_team(team, r.id)
         ORDER BY r.id FOR KEY SHARE OF r)
       INSERT INTO team_members (team_id, resource_id, role) SELECT $1, id, $4 FROM candidates
       ON CONFLICT DO NOTHING RETURNING resource_id AS id`,
      [teamId, home, resourceIds, role],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes those of the resources that are in the team. */
  removeAll(teamId: string, resourceIds: readonly string[]): Promise<EndedMembership[]> {
    return this.end('m.team_id = $1 AND m.resource_id = ANY($2::text[])', [teamId, resourceIds]);
  }

  /** Removes the member; undefined if the resource was not in the team. */
  async delete(teamId: string, resourceId: string): Promise<TeamRole | undefined> {
    const [removed] = await this.database.query<TeamRole>(
      'DELETE FROM team_members WHERE team_id = $1 AND resource_id = $2 RETURNING role',
      [teamId, resourceId],
    );
    return removed;
  }

  /** Removes the resource from all teams, and all members from the resource if it is a team. */
  endAllOf(id: string): Promise<EndedMembership[]> {
    return this.end('(m.team_id = $1 OR m.resource_id = $1)', [id]);
  }

  /** Removes the resource from the teams whose home is the organization. */
  leaveTeamsOf(organizationId: string, resourceId: string): Promise<EndedMembership[]> {
    return this.end('m.resource_id = $1 AND x.organization_id = $2', [resourceId, organizationId]);
  }

  /**
   * Removes the resources of the organization from the teams of other organizations in which the user is admin or owner.
   */
  leaveTeamsOfLinks(organizationId: string, userId: string): Promise<EndedMembership[]> {
    return this.end(
      `m.resource_id IN (SELECT r.id FROM resources r WHERE r.organization_id = $1)
         AND x.organization_id <> $1 AND x.organization_id IN (${ADMINISTERED})`,
      [organizationId, userId],
    );
  }

  /**
   * Removes from a team the members who do not belong to the home that it is about to get, and the resource from teams
   * without a home if it gets one. A trigger would remove them with the change of the home, without events.
   */
  endMembershipsOutsideHome(resourceId: string, organizationId: string | null): Promise<EndedMembership[]> {
    return this.end(
      `((m.resource_id = $1 AND x.organization_id IS NULL AND $2::text IS NOT NULL)
         OR (m.team_id = $1 AND NOT is_of_team((SELECT moved FROM resources r,
           jsonb_populate_record(r, jsonb_build_object('organization_id', $2::text)) moved WHERE r.id = $1), m.resource_id)))`,
      [resourceId, organizationId],
    );
  }

  /** Locks the membership of the resource in the home organization of the team until the transaction ends. */
  async lockMembershipAtHome(teamId: string, resourceId: string): Promise<void> {
    await this.database.query(
      `SELECT 1 FROM organization_resources theirs JOIN resources team ON team.organization_id = theirs.organization_id
       WHERE team.id = $1 AND theirs.resource_id = $2 FOR KEY SHARE OF theirs`,
      [teamId, resourceId],
    );
  }

  /** Locks the resource and returns its type; undefined if the resource cannot join the team. */
  async lockCandidate(teamId: string, resourceId: string): Promise<ResourceType | undefined> {
    const row = await this.database.one<{ type: ResourceType }>(
      `SELECT r.type FROM resources r JOIN resources team ON team.id = $1
       WHERE r.id = $2 AND r.deleted_at IS NULL AND is_of_team(team, r.id) FOR KEY SHARE OF r`,
      [teamId, resourceId],
    );
    return row?.type;
  }

  private end(condition: string, parameters: unknown[]): Promise<EndedMembership[]> {
    return this.database.query<EndedMembership>(
      `DELETE FROM team_members m USING entities x WHERE x.id = m.team_id AND ${condition}
       RETURNING m.team_id AS "teamId", m.resource_id AS "resourceId", m.role,
         x.owner_user_id AS "ownerUserId", x.organization_id AS "organizationId"`,
      parameters,
    );
  }
}
