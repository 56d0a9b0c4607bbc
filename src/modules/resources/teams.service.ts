import { Injectable } from '@nestjs/common';
import type { LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import { invitationRequired } from '../../access/consent.js';
import { Memberships } from '../../access/memberships.js';
import type { Member } from '../../access/membership-rows.js';
import { conflict, invalidField, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import type { Actor, ResourceScope } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type Json } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { AdditionNoticesService } from '../messages/addition-notices.service.js';
import type { AddTeamMemberDto } from './resource.dto.js';
import type { Resource, ResourceType } from './resource.entity.js';
import { ResourcesService } from './resources.service.js';
import { teamMemberList } from './team-member.list.js';
import { teamMemberView } from './team-member.view.js';

/** Who belongs to a team, and so counts as owner and assignee of its work. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly additionNotices: AdditionNoticesService,
    private readonly database: Database,
    private readonly innerLists: InnerLists,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesService,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, teamId: string, query: RawQuery): Promise<Page> {
    const belongs = (team: string): string => `m.team_id = ${team}`;
    return this.innerLists.page(me, teamId, query, { list: teamMemberList, belongs });
  }

  async add(me: Caller, teamId: string, dto: AddTeamMemberDto): Promise<Representation> {
    const { resourceId } = await this.admit(me, teamId, dto);
    return this.read(me, teamId, resourceId);
  }

  /** Adds a member; one that is in the team already gets the role, where one is given. */
  async admit(
    me: Caller,
    teamId: string,
    { resource_id, role }: AddTeamMemberDto,
  ): Promise<{ resourceId: string; isNew: boolean }> {
    const team = await this.resources.openManaged(me, 'resources_members_add', teamId);
    if (team.row.type !== 'team') throw conflict('not_a_team', 'Only teams can have members.');
    const member = await this.memberships.member(me, 'resource_id', resource_id);
    const { resourceId } = member;
    const type = await this.colleague(teamId, member);
    if (type === 'team')
      throw invalidField('resource_id', 'invalid_value', 'A team cannot be a member of another team.');
    const [before] = await this.database.query<{ role: string | null }>(
      'SELECT role FROM team_members WHERE team_id = $1 AND resource_id = $2',
      [teamId, resourceId],
    );
    await this.database.query(
      `INSERT INTO team_members (team_id, resource_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (team_id, resource_id) DO UPDATE SET role = coalesce($3, team_members.role)`,
      [teamId, resourceId, role],
    );
    if (before === undefined) {
      await this.tell(me, team, 'member.added', resourceId, { role: role ?? null });
      await this.additionNotices.notify(me, { ...member, to: teamId, role: role ?? null });
    } else if (role !== undefined && role !== before.role) {
      await this.tell(me, team, 'member.changed', resourceId, { role }, before);
    }
    return { resourceId, isNew: before === undefined };
  }

  async remove(me: Caller, teamId: string, resourceId: string): Promise<void> {
    const team = await this.resources.openManaged(me, 'resources_members_remove', teamId);
    const [gone] = await this.database.query<{ role: string | null }>(
      'DELETE FROM team_members WHERE team_id = $1 AND resource_id = $2 RETURNING role',
      [teamId, resourceId],
    );
    if (gone === undefined) throw notFound();
    await this.tell(me, team, 'member.removed', resourceId, gone, gone);
  }

  /** Ends all team memberships of a user who is being erased. */
  async leaveAll(me: Actor, resourceId: string): Promise<void> {
    const left = await this.database.query<ResourceScope & { teamId: string; role: string | null }>(
      `DELETE FROM team_members m USING entities x WHERE m.resource_id = $1 AND x.id = m.team_id
       RETURNING m.team_id AS "teamId", m.role, x.owner_user_id AS "ownerUserId", x.organization_id AS "organizationId"`,
      [resourceId],
    );
    for (const { teamId, role, ...place } of left) {
      const data = { resource_id: resourceId, role };
      await this.writer.recordEvent(me, 'resource', teamId, place, {
        type: 'member.removed',
        data,
        previous: { role },
      });
    }
  }

  /** Removes a user from all teams whose home is the organization. */
  async leaveTeamsOf(me: Caller, organizationId: string, resourceId: string): Promise<void> {
    const left = await this.database.query<{ team_id: string; role: string | null }>(
      `DELETE FROM team_members m USING resources team
       WHERE team.id = m.team_id AND team.organization_id = $1 AND m.resource_id = $2 RETURNING m.team_id, m.role`,
      [organizationId, resourceId],
    );
    await this.writer.recordEvents(
      me,
      left.map(({ team_id, role }) => ({
        kind: 'resource' as const,
        id: team_id,
        place: { organizationId },
        type: 'member.removed',
        previous: { role },
        data: { resource_id: resourceId, role },
      })),
    );
  }

  /**
   * The type of a resource that can join the team. The membership in the home organization is share-locked, so that it
   * does not end meanwhile (the membership in the team would end with it). People from elsewhere have to be invited
   * into the home organization first.
   */
  private async colleague(teamId: string, { resourceId, userId }: Member): Promise<ResourceType> {
    await this.database.query(
      `SELECT 1 FROM organization_resources theirs JOIN resources team ON team.organization_id = theirs.organization_id
       WHERE team.id = $1 AND theirs.resource_id = $2 FOR KEY SHARE OF theirs`,
      [teamId, resourceId],
    );
    const row = await this.database.one<{ type: ResourceType }>(
      `SELECT r.type FROM resources r JOIN resources team ON team.id = $1
       WHERE r.id = $2 AND r.deleted_at IS NULL AND is_of_team(team, r.id) FOR KEY SHARE OF r`,
      [teamId, resourceId],
    );
    if (row !== undefined) return row.type;
    if (userId !== null) throw invitationRequired();
    throw invalidInput([referenceNotFound('resource_id')]);
  }

  private tell(
    me: Caller,
    { id, place }: LockedResource<Resource>,
    type: string,
    resourceId: string,
    { role }: { role: string | null },
    previous?: { role: string | null },
  ): Promise<void> {
    const data = { resource_id: resourceId, role };
    return this.writer.recordEvent(me, 'resource', id, place, {
      type,
      data,
      ...(previous && { previous: { ...previous } }),
    });
  }

  private async read(me: Caller, teamId: string, resourceId: string): Promise<Representation> {
    const sql = oneAsJson(teamMemberView, 'm.id = $2 AND m.team_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, resourceId, teamId]));
  }
}
