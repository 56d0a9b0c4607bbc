import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors.js';
import { rankOf, type EndeavourRole, type OrganizationRole, type Role } from '../../common/roles.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { isByToken } from '../authentication/caller.js';
import { membershipEvent, type RecordedMembership } from './membership-event.js';
import { assertMayGrant, assertMayRevoke, assertOwnerStays } from './membership.rules.js';
import { assertNotManaged, assertOpen, differences, isDemotion } from './membership-state.rules.js';
import { RoleLosses } from '../permissions/role-losses.js';
import { sessionRequired } from '../operations/scopes.js';
import { EndedMembershipsRepository } from './ended-memberships.repository.js';
import {
  MembershipRows,
  type Container,
  type Granted,
  type Granter,
  type Member,
  type Membership,
  type MembershipState,
} from './membership-rows.js';

/** The roles to grant; omitted ones stay as they are, or default to `member` without stakeholder roles. */
export interface Grant<R extends Role> {
  role?: R;
  stakeholderRoles?: string[];
  /** Leaves a member unchanged whose role is already at least as high (invitations). */
  raisesOnly?: boolean;
  /** A group at the identity provider of the organization gives the role. */
  byGroup?: boolean;
}

/** A grant that the granter's role allows, and that is not written yet. */
export interface AuthorizedGrant<R extends Role> {
  containerId: string;
  state: MembershipState;
  next: Membership<R>;
  /** Whether there is no membership yet. */
  isNew: boolean;
}

/** The end of a membership that the granter's role allows, and that is not written yet. */
export interface AuthorizedRevocation {
  containerId: string;
  state: MembershipState;
  resourceId: string;
}

/**
 * Grants and revokes roles in organizations and endeavours (spec 02). Requires the admin role there, grants no role above
 * the granter's own, lets only owners change owner roles, keeps the last active owner (409 `last_owner`), and lets any
 * member leave. The row of the container is locked, so that two owners cannot demote each other at the same time. In an
 * archived container, members can only be removed or demoted. Records `member.added`, `member.changed` or
 * `member.removed` on the container.
 *
 * The calling code checks first that the container is visible (`access.authorize`). A grant or removal has two steps,
 * because consent and `If-Match` are checked between the role and the state of the container: `authorize...` checks the
 * role (403), and {@link apply} or {@link revoke} checks the state (409) and writes.
 */
@Injectable()
export class Memberships {
  constructor(
    private readonly endedMemberships: EndedMembershipsRepository,
    private readonly membershipRows: MembershipRows,
    private readonly events: EventRecorder,
    private readonly losses: RoleLosses,
  ) {}

  /** Both steps of a grant, for requests without a check between them. */
  async grantOrganization(
    me: Granter,
    organizationId: string,
    member: Member,
    grant: Grant<OrganizationRole>,
  ): Promise<Granted<OrganizationRole>> {
    return this.apply(me, await this.authorizeOrganizationGrant(me, organizationId, member, grant));
  }

  /** Like {@link grantOrganization}. */
  async grantEndeavour(
    me: Granter,
    endeavourId: string,
    member: Member & { userId: string },
    grant: Grant<EndeavourRole>,
  ): Promise<Granted<EndeavourRole>> {
    return this.apply(me, await this.authorizeEndeavourGrant(me, endeavourId, member, grant));
  }

  authorizeOrganizationGrant(
    me: Granter,
    organizationId: string,
    member: Member,
    grant: Grant<OrganizationRole>,
  ): Promise<AuthorizedGrant<OrganizationRole>> {
    return this.authorizeGrant('organization', me, organizationId, member, grant);
  }

  authorizeEndeavourGrant(
    me: Granter,
    endeavourId: string,
    member: Member & { userId: string },
    grant: Grant<EndeavourRole>,
  ): Promise<AuthorizedGrant<EndeavourRole>> {
    return this.authorizeGrant('endeavour', me, endeavourId, member, grant);
  }

  /** Writes a grant; 409 if the container is closed or archived, or would lose its last owner. */
  async apply<R extends Role>(me: Granter, grant: AuthorizedGrant<R>): Promise<Granted<R>> {
    const { containerId, state, next, isNew } = grant;
    const { container } = state;
    if (!isDemotion(state, next)) assertOpen(state);
    assertOwnerStays(state, next.role);
    const previous = differences(state, next);
    if (Object.keys(previous).length === 0) return { ...next, isNew: false };
    assertNotManaged(state, next.viaGroup === true || me.isDirectory === true);
    await this.membershipRows.upsert(container, containerId, next, me.userId || null);
    await this.recordEvent(container, me, containerId, isNew ? 'member.added' : 'member.changed', next, previous);
    if (next.userId !== null && isDemotion(state, next)) await this.losses.announce(me, next.userId);
    return { ...next, isNew };
  }

  async authorizeRevocation(
    container: Container,
    me: Granter,
    containerId: string,
    resourceId: string,
  ): Promise<AuthorizedRevocation> {
    const state = await this.membershipRows.find(container, me, containerId, resourceId);
    assertMayRevoke(state);
    await this.lockEndeavours(state);
    return { containerId, state, resourceId };
  }

  /** Ends the membership; 404 if it does not exist, as for a derived role, and 409 for the last active owner. */
  async revoke(
    me: Granter,
    { containerId, state, resourceId }: AuthorizedRevocation,
    { byGroup = false } = {},
  ): Promise<void> {
    if (state.role === null) throw notFound();
    assertOwnerStays(state, null);
    if (!state.isMyself) assertNotManaged(state, byGroup);
    if (!byGroup && state.isMyself && state.userId !== null) {
      await this.endedMemberships.recordDeparture(containerId, state.userId);
    }
    await this.end(state.container, me, containerId, { ...state, resourceId });
  }

  /** Ends the sharing of a resource without a user; the calling code checks the permission. */
  async endSharing(me: Granter, organizationId: string, resourceId: string): Promise<void> {
    await this.membershipRows.delete('organization', organizationId, resourceId);
    await this.recordSharingEnds(me, [organizationId], resourceId);
  }

  /** Ends the sharing of a resource without a user that is deleted, also with its home. */
  async endAllSharing(me: Granter, resourceId: string): Promise<void> {
    const organizationIds = await this.membershipRows.leaveOrganizations(resourceId);
    await this.recordSharingEnds(me, organizationIds.toSorted(), resourceId);
  }

  /**
   * Ends all roles of an erased person or a deleted agent; the calling code checks the permission, and locks the
   * containers before it locks the user. A last active owner is removed as well: an administrator can reactivate a
   * suspended owner, and an agent does not count as an owner.
   */
  async endAll(me: Granter, { resourceId, userId }: Member & { userId: string }): Promise<void> {
    for (const { id, container } of await this.membershipRows.ofUser(userId)) {
      const state = await this.membershipRows.find(container, me, id, resourceId);
      if (state.role !== null) await this.end(container, me, id, { ...state, resourceId });
    }
  }

  /** Makes the creator of a container its first owner, without a permission check. */
  async addFirstOwner(container: Container, id: string, me: Granter): Promise<void> {
    await this.membershipRows.upsert(container, id, { ...me, role: 'owner', stakeholderRoles: [] }, me.userId);
  }

  /** Makes the caller an owner of a container without an active owner. */
  async ensureOwner(container: Container, id: string, me: Granter): Promise<void> {
    if (await this.membershipRows.isOwned(container, id)) return;
    const owner = { ...me, role: 'owner' as const, stakeholderRoles: [] };
    await this.membershipRows.upsert(container, id, owner, me.userId);
    await this.recordEvent(container, me, id, 'member.added', owner, { role: null });
  }

  private async authorizeGrant<R extends Role>(
    container: Container,
    me: Granter,
    containerId: string,
    member: Member,
    { role, stakeholderRoles, raisesOnly = false, byGroup = false }: Grant<R>,
  ): Promise<AuthorizedGrant<R>> {
    if (isByToken(me) && me.isDirectory !== true && member.userId !== null) throw sessionRequired();
    const state = await this.membershipRows.find(container, me, containerId, member.resourceId);
    const current = state.role as R | null;
    const isHighEnough = current !== null && rankOf(current) >= rankOf(role ?? 'member');
    const stays = raisesOnly && (isHighEnough || state.viaGroup);
    const next: Membership<R> = {
      resourceId: member.resourceId,
      userId: member.userId,
      role: (stays ? current : (role ?? current)) ?? ('member' as R),
      stakeholderRoles: stakeholderRoles ?? state.stakeholderRoles,
      ...(byGroup && { viaGroup: true }),
    };
    assertMayGrant(state, next.role);
    if (isDemotion(state, next)) await this.lockEndeavours(state);
    return { containerId, state, next, isNew: current === null };
  }

  /** Locks the endeavours that change with a membership of an organization, before it changes. */
  private async lockEndeavours({ container, userId }: MembershipState): Promise<void> {
    if (container === 'endeavour' || userId === null) return;
    for (const id of await this.losses.endeavoursOf(userId)) await this.membershipRows.lock('endeavour', id);
  }

  private async end(
    container: Container,
    me: Granter,
    id: string,
    { resourceId, userId, role, stakeholderRoles }: MembershipState & { resourceId: string },
  ): Promise<void> {
    await this.membershipRows.delete(container, id, resourceId);
    const former = { resourceId, userId, role, stakeholderRoles };
    await this.recordEvent(container, me, id, 'member.removed', former, { role });
    if (userId !== null) await this.losses.announce(me, userId);
  }

  private recordSharingEnds(me: Granter, organizationIds: string[], resourceId: string): Promise<void> {
    const former = { resourceId, userId: null, role: null, stakeholderRoles: [] };
    return this.events.recordAll(
      me,
      organizationIds.map((id) => membershipEvent('organization', id, 'member.removed', former, {})),
    );
  }

  private recordEvent(
    container: Container,
    me: Granter,
    id: string,
    type: string,
    member: RecordedMembership,
    previous: Record<string, unknown>,
  ): Promise<void> {
    const { kind, place, ...payload } = membershipEvent(container, id, type, member, previous);
    return this.events.record(me, kind, id, place, payload);
  }
}
