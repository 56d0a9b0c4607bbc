import { Injectable } from '@nestjs/common';
import { notFound } from '../../../common/errors.js';
import { serviceAddress } from '../../../platform/config/address.js';
import { Settings } from '../../../platform/config/settings.js';
import { DirectoryMembershipsService } from '../../organizations/members/directory-memberships.service.js';
import { DirectoryTeamsService } from '../../resources/teams/directory-teams.service.js';
import { ManagedTeams } from '../../resources/teams/managed-teams.js';
import { TeamsService } from '../../resources/teams/teams.service.js';
import { DirectoryRoles } from '../directory-roles.service.js';
import type { Directory } from '../directory.js';
import {
  isSelected,
  listResponse,
  readPaging,
  type Projection,
  type ScimDocument,
} from '../protocol/scim-documents.js';
import { invalid } from '../protocol/scim-error.js';
import { readFilter } from '../protocol/scim-filter.js';
import { groupDocument, groupRecordIn, groupVersionOf, patchedGroup, type GroupRecord } from './scim-group.document.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupsRepository, type KnownMember } from './scim-groups.repository.js';
import { readChanges } from '../protocol/scim-patch.js';
import { assertVersion, type Tagged } from '../protocol/scim-versions.js';

/** Keeps the groups of directories as teams of their organizations. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly directoryTeams: DirectoryTeamsService,
    private readonly groups: ScimGroupsRepository,
    private readonly memberships: DirectoryMembershipsService,
    private readonly roles: DirectoryRoles,
    private readonly settings: Settings,
    private readonly teams: TeamsService,
    managed: ManagedTeams,
  ) {
    managed.register((teamId) => groups.isGroup(teamId));
  }

  async list(
    directory: Directory,
    query: Readonly<Record<string, unknown>>,
    projection: Projection,
  ): Promise<ScimDocument> {
    const paging = readPaging(query);
    const filter = readFilter(query);
    const { total, groups } = await this.groups.page(directory.organizationId, filter, paging);
    const isWithMembers = isSelected(projection, 'members');
    const members = isWithMembers ? await this.groups.membersOf(groups.map(({ teamId }) => teamId)) : undefined;
    const at = this.addressOf(directory);
    return listResponse(
      groups.map((group) => groupDocument(group, at, members && (members.get(group.teamId) ?? []))),
      total,
      paging,
    );
  }

  async get(directory: Directory, id: string, projection: Projection = {}): Promise<Tagged> {
    const group = await this.find(directory, id);
    const members = isSelected(projection, 'members') ? await this.groups.membersOf([id]) : undefined;
    const document = groupDocument(group, this.addressOf(directory), members && (members.get(id) ?? []));
    return { document, version: groupVersionOf(group) };
  }

  async create(directory: Directory, body: unknown): Promise<Tagged> {
    const record = groupRecordIn(body);
    const { organizationId } = directory;
    await this.memberships.lock(organizationId);
    const members = await this.knownMembers(directory, [...record.members]);
    const id = await this.directoryTeams.create(directory, organizationId, record.displayName);
    await this.groups.insert(organizationId, id, record);
    await this.add(directory, id, members);
    await this.roles.settle(directory, [...record.members]);
    return this.get(directory, id);
  }

  async replace(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged> {
    const record = groupRecordIn(body);
    await this.memberships.lock(directory.organizationId);
    const { group, before } = await this.read(directory, id, ifMatch);
    return this.change(directory, group, before, record);
  }

  async patch(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged> {
    const changes = readChanges(body);
    await this.memberships.lock(directory.organizationId);
    const { group, before } = await this.read(directory, id, ifMatch);
    return this.change(directory, group, before, patchedGroup(before, changes));
  }

  /** Deletes the team, or makes it inactive if it has open work or a quorum. */
  async delete(directory: Directory, id: string, ifMatch?: string): Promise<void> {
    await this.memberships.lock(directory.organizationId);
    await this.read(directory, id, ifMatch);
    const members = (await this.groups.membersOf([id])).get(id) ?? [];
    await this.groups.remove(id);
    await this.roles.settle(
      directory,
      members.map(({ value }) => value),
    );
    await this.directoryTeams.end(directory, directory.organizationId, id);
  }

  /** Makes a person who has just been admitted a member of the teams to which the directory counts the person. */
  async rejoin(directory: Directory, userId: string): Promise<void> {
    const [member] = await this.groups.known(directory.organizationId, [userId]);
    if (member === undefined) return;
    for (const id of await this.groups.groupsWith(directory.organizationId, userId)) {
      await this.join(directory, id, [member]);
    }
    await this.roles.settle(directory, [userId]);
  }

  /** Takes a person whom the directory deletes out of all groups. */
  async forget(directory: Directory, userId: string): Promise<void> {
    await this.groups.forget(directory.organizationId, userId);
  }

  private async change(
    directory: Directory,
    group: ScimGroup,
    before: GroupRecord,
    record: GroupRecord,
  ): Promise<Tagged> {
    const { teamId: id } = group;
    const added = [...record.members].filter((member) => !before.members.has(member));
    const removed = [...before.members].filter((member) => !record.members.has(member));
    const isRenamed = record.displayName !== before.displayName;
    if (added.length + removed.length === 0 && !isRenamed && record.externalId === before.externalId)
      return this.get(directory, id);
    const newcomers = await this.knownMembers(directory, added);
    await this.groups.update(id, record);
    if (isRenamed) await this.directoryTeams.rename(directory, directory.organizationId, id, record.displayName);
    const leavers = await this.groups.known(directory.organizationId, removed);
    await this.teams.leaveTeam(
      directory,
      id,
      leavers.map(({ resourceId }) => resourceId),
    );
    await this.groups.removeMembers(id, removed);
    await this.add(directory, id, newcomers);
    const isCalledOtherwise = isRenamed || record.externalId !== before.externalId;
    await this.roles.settle(directory, [...(isCalledOtherwise ? record.members : added), ...removed]);
    return this.get(directory, id);
  }

  private async add(directory: Directory, teamId: string, members: readonly KnownMember[]): Promise<void> {
    await this.groups.addMembers(
      teamId,
      members.map(({ userId }) => userId),
    );
    await this.join(directory, teamId, members);
  }

  private async join(directory: Directory, teamId: string, members: readonly KnownMember[]): Promise<void> {
    const { organizationId } = directory;
    const present = members.filter(({ isMember }) => isMember).map(({ resourceId }) => resourceId);
    await this.teams.joinTeam(directory, organizationId, { team_id: teamId, role: null }, present);
  }

  /** 400 unless all ids are those of people whom the directory has added. */
  private async knownMembers({ organizationId }: Directory, ids: readonly string[]): Promise<KnownMember[]> {
    if (ids.length === 0) return [];
    const known = await this.groups.known(organizationId, ids);
    if (known.length === new Set(ids).size) return known;
    throw invalid('invalidValue', 'members must be people whom the directory has added to the organization.');
  }

  private async find({ organizationId }: Directory, id: string): Promise<ScimGroup> {
    const group = await this.groups.find(organizationId, id);
    if (group === undefined) throw notFound();
    return group;
  }

  private async read(
    directory: Directory,
    id: string,
    ifMatch?: string,
  ): Promise<{ group: ScimGroup; before: GroupRecord }> {
    const group = await this.find(directory, id);
    assertVersion(groupVersionOf(group), ifMatch);
    const members = (await this.groups.membersOf([id])).get(id) ?? [];
    const { displayName, externalId } = group;
    return { group, before: { displayName, externalId, members: new Set(members.map(({ value }) => value)) } };
  }

  private addressOf({ organizationId }: Directory): string {
    return `${serviceAddress(this.settings)}/scim/v2/${organizationId}/Groups`;
  }
}
