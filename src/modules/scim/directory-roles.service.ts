import { Injectable } from '@nestjs/common';
import { GroupRoles, roleFor } from '../identity-providers/group-roles.service.js';
import { DirectoryMembershipsService } from '../organizations/members/directory-memberships.service.js';
import type { Directory } from './directory.js';
import { ScimGroupsRepository } from './groups/scim-groups.repository.js';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.js';

/**
 * Gives people the roles that the groups have to which their directory counts them (`group_roles` of the providers of the
 * organization). Where there is a directory, what providers tell at a sign-in decides no roles.
 */
@Injectable()
export class DirectoryRoles {
  constructor(
    private readonly groupRoles: GroupRoles,
    private readonly groups: ScimGroupsRepository,
    private readonly memberships: DirectoryMembershipsService,
    tokens: ScimTokensRepository,
  ) {
    groupRoles.leaveToDirectories(async (organizationId) => (await tokens.countLive(organizationId)) > 0);
  }

  /** Call this after the groups of these people have changed. */
  async settle(directory: Directory, userIds: readonly string[]): Promise<void> {
    const { organizationId } = directory;
    const groupRoles = await this.groupRoles.rolesIn(organizationId);
    const members = (await this.groups.known(organizationId, userIds)).filter(({ isMember }) => isMember);
    const names = await this.groups.namesByMember(organizationId, userIds);
    for (const member of members) {
      const role = roleFor({ groupRoles }, names.get(member.userId) ?? []);
      const { groupRole, viaGroup } = member;
      const isSettled = groupRole === null || role === (viaGroup ? groupRole : undefined);
      if (!isSettled) await this.memberships.setGroupRole(directory, organizationId, member, role);
    }
  }
}
