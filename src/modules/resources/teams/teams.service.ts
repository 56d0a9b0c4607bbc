import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import { invitationRequired } from '../../../access/authentication/consent.js';
import { MemberReferences } from '../../../access/memberships/member-references.js';
import type { Member } from '../../../access/memberships/membership-rows.js';
import { conflict, invalidField, invalidInput, notFound, referenceNotFound } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { AdditionNoticesService } from '../../messages/addition-notices.service.js';
import type { AddTeamMemberDto } from '../resource.dto.js';
import type { Resource } from '../resource.entity.js';
import { ResourcesService } from '../resources.service.js';
import { isMemberOfTeam, teamMemberList } from './team-member.list.js';
import { ManagedTeams } from './managed-teams.js';
import { TeamsRepository, type EndedMembership, type FormerTeam, type TeamRole } from './teams.repository.js';

/** Manages the members of teams, who count as owners and assignees of the team's work. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly access: Access,
    private readonly additionNotices: AdditionNoticesService,
    private readonly innerLists: ChildLists,
    private readonly managed: ManagedTeams,
    private readonly memberReferences: MemberReferences,
    private readonly resources: ResourcesService,
    private readonly teams: TeamsRepository,
    private readonly events: EventRecorder,
  ) {}

  list(me: Caller, teamId: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, teamId, query, { list: teamMemberList, belongs: isMemberOfTeam });
  }

  async add(me: Caller, teamId: string, dto: AddTeamMemberDto): Promise<Representation> {
    const { resourceId } = await this.admit(me, teamId, dto);
    return this.teams.read(me, teamId, resourceId);
  }

  /** Adds a member, or updates the role of an existing member if a role is sent. */
  async admit(
    me: Caller,
    teamId: string,
    { resource_id, role }: AddTeamMemberDto,
  ): Promise<{ resourceId: string; isNew: boolean }> {
    const team = await this.resources.lockManaged(me, 'resources_members_add', teamId);
    const isTeam = team.row.type === 'team';
    const member = await this.memberReferences.member(me, 'resource_id', resource_id);
    const { resourceId } = member;
    if (isTeam) await this.assertMayBeMember(teamId, member);
    this.access.assertWritable(team);
    if (!isTeam) throw conflict('not_a_team', 'Only teams can have members.');
    await this.managed.assertByHand(teamId);
    const before = await this.teams.member(teamId, resourceId);
    await this.teams.upsert(teamId, resourceId, role);
    if (before === undefined) {
      await this.recordEvent(me, team, 'member.added', resourceId, { role: role ?? null });
      await this.additionNotices.notify(me, { ...member, to: teamId, role: role ?? null });
    } else if (role !== undefined && role !== before.role) {
      await this.recordEvent(me, team, 'member.changed', resourceId, { role }, before);
    }
    return { resourceId, isNew: before === undefined };
  }

  async remove(me: Caller, teamId: string, resourceId: string): Promise<void> {
    const team = await this.resources.lockManaged(me, 'resources_members_remove', teamId);
    const removed = await this.teams.delete(teamId, resourceId);
    if (removed === undefined) throw notFound();
    // Only now, because an absent member is 404; an error rolls the removal back.
    this.access.assertWritable(team);
    await this.managed.assertByHand(teamId);
    await this.recordEvent(me, team, 'member.removed', resourceId, removed, removed);
  }

  /** The memberships that end when the resource leaves the organization. */
  membershipsIn(organizationId: string, resourceId: string): Promise<FormerTeam[]> {
    return this.teams.membershipsIn(organizationId, resourceId);
  }

  /** Makes the resource a member again of those teams of the organization that it can join, without a permission check. */
  async joinTeamsOf(
    me: Actor,
    organizationId: string,
    resourceId: string,
    memberships: readonly FormerTeam[],
  ): Promise<void> {
    for (const membership of memberships) await this.joinTeam(me, organizationId, membership, [resourceId]);
  }

  /** Adds the resources that can join a team of the organization, without a permission check. */
  async joinTeam(
    me: Actor,
    organizationId: string,
    membership: FormerTeam,
    resourceIds: readonly string[],
  ): Promise<void> {
    const { team_id: teamId, role } = membership;
    const joined = await this.teams.addAll(membership, organizationId, resourceIds);
    await this.events.recordAll(
      me,
      joined.map((resourceId) => ({
        kind: 'resource' as const,
        id: teamId,
        place: { organizationId },
        type: 'member.added',
        data: { resource_id: resourceId, role },
        audience: [resourceId],
      })),
    );
  }

  /** Removes the resources from the team, without a permission check. */
  async leaveTeam(me: Actor, teamId: string, resourceIds: readonly string[]): Promise<void> {
    await this.recordEnds(me, await this.teams.removeAll(teamId, resourceIds));
  }

  /**
   * Ends all team memberships of a resource that is deleted, and those of its members if it is a team; before its other
   * memberships, with which some of them would end.
   */
  async endAllOf(me: Actor, id: string): Promise<void> {
    await this.recordEnds(me, await this.teams.endAllOf(id));
  }

  /** Removes a user or a shared resource that leaves an organization from all teams whose home it is. */
  async leaveTeamsOf(me: Actor, organizationId: string, resourceId: string): Promise<void> {
    await this.recordEnds(me, await this.teams.leaveTeamsOf(organizationId, resourceId));
  }

  /**
   * Removes the resources of an organization from teams elsewhere, where their links end with the departure of the user.
   */
  async leaveTeamsOfLinks(me: Actor, organizationId: string, userId: string): Promise<void> {
    await this.recordEnds(me, await this.teams.leaveTeamsOfLinks(organizationId, userId));
  }

  /** Ends the team memberships that do not fit the home that the resource is about to get; null for none. */
  async endMembershipsOutsideHome(me: Actor, resourceId: string, organizationId: string | null): Promise<void> {
    await this.recordEnds(me, await this.teams.endMembershipsOutsideHome(resourceId, organizationId));
  }

  /**
   * Rejects a resource that cannot join the team. Its membership in the home organization is share-locked, so that it
   * cannot end concurrently, which would also end the membership in the team. People who are not in the home
   * organization must be invited there first.
   */
  private async assertMayBeMember(teamId: string, { resourceId, userId }: Member): Promise<void> {
    await this.teams.lockMembershipAtHome(teamId, resourceId);
    const type = await this.teams.lockCandidate(teamId, resourceId);
    if (type === 'team') {
      throw invalidField('resource_id', 'invalid_value', 'A team cannot be a member of another team.');
    }
    if (type !== undefined) return;
    if (userId !== null) throw invitationRequired();
    throw invalidInput([referenceNotFound('resource_id')]);
  }

  private recordEnds(me: Actor, ended: readonly EndedMembership[]): Promise<void> {
    return this.events.recordAll(
      me,
      ended.map(({ teamId, resourceId, role, ...place }) => ({
        kind: 'resource' as const,
        id: teamId,
        place,
        type: 'member.removed',
        previous: { role },
        data: { resource_id: resourceId, role },
        audience: [resourceId],
      })),
    );
  }

  private recordEvent(
    me: Caller,
    { id, place }: LockedResource<Resource>,
    type: string,
    resourceId: string,
    { role }: TeamRole,
    previous?: TeamRole,
  ): Promise<void> {
    const data = { resource_id: resourceId, role };
    return this.events.record(me, 'resource', id, place, {
      type,
      data,
      audience: [resourceId],
      ...(previous && { previous: { ...previous } }),
    });
  }
}
