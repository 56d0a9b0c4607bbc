import { Injectable } from '@nestjs/common';
import type { Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import { Memberships } from '../../access/memberships.js';
import { conflict, invalidField, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type Json } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import type { AddTeamMemberDto } from './resource.dto.js';
import type { Resource, ResourceType } from './resource.entity.js';
import { ResourcesService } from './resources.service.js';
import { teamMemberList } from './team-member.list.js';
import { teamMemberView } from './team-member.view.js';

/** Who belongs to a team, and so counts as owner and assignee of its work. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly database: Database,
    private readonly innerLists: InnerLists,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesService,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, teamId: string, query: RawQuery): Promise<Page> {
    const belongs = (team: string): string => `m.team_id = ${team}`;
    return this.innerLists.page(me, teamId, query, { list: teamMemberList, belongs });
  }

  /** Adds a member; whoever is one already gets the role, where one is given. */
  async add(me: Caller, teamId: string, { resource_id, role }: AddTeamMemberDto): Promise<Representation> {
    const team = await this.resources.openManaged(me, 'resources_members_add', teamId);
    const { resourceId } = await this.memberships.member(me, 'resource_id', resource_id);
    const type = await this.colleague(teamId, resourceId);
    if (team.row.type !== 'team') throw conflict('not_a_team', 'Only a team has members.');
    if (type === 'team') throw invalidField('resource_id', 'invalid_value', 'A team cannot be a member of a team.');
    const [before] = await this.database.query<{ role: string | null }>(
      'SELECT role FROM team_members WHERE team_id = $1 AND resource_id = $2',
      [teamId, resourceId],
    );
    await this.database.query(
      `INSERT INTO team_members (team_id, resource_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (team_id, resource_id) DO UPDATE SET role = coalesce($3, team_members.role)`,
      [teamId, resourceId, role],
    );
    if (before === undefined) await this.tell(me, team, 'member.added', resourceId, { role: role ?? null });
    else if (role !== undefined && role !== before.role) {
      await this.tell(me, team, 'member.changed', resourceId, { role }, before);
    }
    return this.read(me, teamId, resourceId);
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

  /**
   * The type of a resource that shares an organization with the team; anything else is as good as absent. Its place
   * there is share-locked, so that it is not given up meanwhile (with it goes the place in the team).
   */
  private async colleague(teamId: string, resourceId: string): Promise<ResourceType> {
    const row = await this.database.one<{ type: ResourceType }>(
      `SELECT r.type FROM resources r JOIN organization_resources theirs ON theirs.resource_id = r.id
       JOIN organization_resources ours ON ours.organization_id = theirs.organization_id AND ours.resource_id = $1
       WHERE r.id = $2 AND r.deleted_at IS NULL LIMIT 1 FOR KEY SHARE OF r, theirs, ours`,
      [teamId, resourceId],
    );
    if (row === undefined) throw invalidInput([referenceNotFound('resource_id')]);
    return row.type;
  }

  private tell(
    me: Caller,
    { id, place }: Opened<Resource>,
    type: string,
    resourceId: string,
    { role }: { role: string | null },
    previous?: { role: string | null },
  ): Promise<void> {
    const data = { resource_id: resourceId, role };
    return this.writes.note(me, 'resource', id, place, { type, data, ...(previous && { previous: { ...previous } }) });
  }

  private async read(me: Caller, teamId: string, resourceId: string): Promise<Representation> {
    const sql = oneAsJson(teamMemberView, 'm.id = $2 AND m.team_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, resourceId, teamId]));
  }
}
