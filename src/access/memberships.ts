import { Injectable } from '@nestjs/common';
import { archived, inProgress, invalidInput, notFound, referenceNotFound } from '../common/errors.js';
import type { EndeavourRole, OrganizationRole, Role } from '../common/roles.js';
import { rankOf } from '../common/roles.js';
import type { EventRecord } from '../platform/events/event-payload.js';
import { EventRecorder } from '../platform/events/event-recorder.js';
import { Database } from '../platform/database/database.js';
import { Access } from './access.js';
import { isByToken, type Caller } from './caller.js';
import { assertMayGrant, assertMayRevoke } from './membership.rules.js';
import { sessionRequired } from './scopes.js';
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
}

/** A membership as its events show it; without a role if it is that of a resource without a user, or of an agent. */
type RecordedMembership = Omit<Membership<Role>, 'role'> & { role: Role | null };

/**
 * Grants and revokes roles in organizations and endeavours (spec 02). Requires the admin role there, grants no role above
 * the granter's own, lets only owners change owner roles, keeps the last active owner (409 `last_owner`), and lets any
 * member leave. The row of the container is locked, so that two owners cannot demote each other at the same time. In an
 * archived container, members can only be removed or demoted. Records `member.added`, `member.changed` or
 * `member.removed` on the container.
 *
 * The calling code checks first that the container is visible (`access.authorize`).
 */
@Injectable()
export class Memberships {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly membershipRows: MembershipRows,
    private readonly events: EventRecorder,
  ) {}

  /**
   * Resolves a `usr_` or `res_` id, or `me`, in a field of the body; 400 if it is not visible to the caller, or is that
   * of a deleted agent, which stays visible where it has worked.
   */
  async member(me: Caller, field: string, id: string): Promise<Member> {
    if (id === 'me') return me;
    const resource = await this.access.find(me, id);
    const member =
      resource &&
      (await this.database.one<Member>(
        `SELECT r.id AS "resourceId", r.user_id AS "userId" FROM resources r LEFT JOIN users u ON u.id = r.user_id
         WHERE (r.id = $1 OR r.user_id = $1) AND u.erased_at IS NULL`,
        [id],
      ));
    if (member === undefined) throw invalidInput([referenceNotFound(field)]);
    return member;
  }

  /** Like {@link member}, but 400 for a resource without a user, which cannot be a member of an endeavour. */
  async person(me: Caller, field: string, id: string): Promise<Member & { userId: string }> {
    const { resourceId, userId } = await this.member(me, field, id);
    if (userId === null) throw invalidInput([referenceNotFound(field)]);
    return { resourceId, userId };
  }

  grantOrganization(
    me: Granter,
    organizationId: string,
    member: Member,
    grant: Grant<OrganizationRole>,
  ): Promise<Granted<OrganizationRole>> {
    return this.grant('organization', me, organizationId, member, grant);
  }

  grantEndeavour(
    me: Granter,
    endeavourId: string,
    member: Member & { userId: string },
    grant: Grant<EndeavourRole>,
  ): Promise<Granted<EndeavourRole>> {
    return this.grant('endeavour', me, endeavourId, member, grant);
  }

  /** 404 if the membership does not exist. */
  revokeOrganization(me: Granter, organizationId: string, resourceId: string): Promise<void> {
    return this.revoke('organization', me, organizationId, resourceId);
  }

  /** 404 if the membership does not exist; a derived role is not a membership. */
  revokeEndeavour(me: Granter, endeavourId: string, resourceId: string): Promise<void> {
    return this.revoke('endeavour', me, endeavourId, resourceId);
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

  private async grant<R extends Role>(
    container: Container,
    me: Granter,
    id: string,
    member: Member,
    { role, stakeholderRoles, raisesOnly = false }: Grant<R>,
  ): Promise<Granted<R>> {
    if (isByToken(me) && member.userId !== null) throw sessionRequired();
    const state = await this.membershipRows.find(container, me, id, member.resourceId);
    const current = state.role as R | null;
    const stays = raisesOnly && current !== null && rankOf(current) >= rankOf(role ?? 'member');
    const next: Membership<R> = {
      resourceId: member.resourceId,
      userId: member.userId,
      role: (stays ? current : (role ?? current)) ?? ('member' as R),
      stakeholderRoles: stakeholderRoles ?? state.stakeholderRoles,
    };
    assertMayGrant(state, next.role);
    if (!isDemotion(state, next)) assertOpen(state);
    const previous = differences(state, next);
    if (Object.keys(previous).length === 0) return { ...next, isNew: false };
    await this.membershipRows.upsert(container, id, next, me.userId);
    await this.recordEvent(container, me, id, current === null ? 'member.added' : 'member.changed', next, previous);
    return { ...next, isNew: current === null };
  }

  private async revoke(container: Container, me: Granter, id: string, resourceId: string): Promise<void> {
    const state = await this.membershipRows.find(container, me, id, resourceId);
    if (state.role === null) throw notFound();
    assertMayRevoke(state);
    if (state.isMyself && state.userId !== null) await this.membershipRows.recordDeparture(id, state.userId);
    await this.end(container, me, id, { ...state, resourceId });
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
  }

  private recordSharingEnds(me: Granter, organizationIds: string[], resourceId: string): Promise<void> {
    const former = { resourceId, userId: null, role: null, stakeholderRoles: [] };
    return this.events.recordAll(
      me,
      organizationIds.map((id) => eventOf('organization', id, 'member.removed', former, {})),
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
    const { kind, place, ...payload } = eventOf(container, id, type, member, previous);
    return this.events.record(me, kind, id, place, payload);
  }
}

function eventOf(
  container: Container,
  id: string,
  type: string,
  member: RecordedMembership,
  previous: Record<string, unknown>,
): EventRecord {
  const place = container === 'organization' ? { organizationId: id } : { endeavourId: id };
  const data = {
    resource_id: member.resourceId,
    user_id: member.userId,
    role: member.role,
    stakeholder_roles: member.stakeholderRoles,
  };
  return { kind: container, id, place, type, previous, data, audience: [member.resourceId] };
}

function assertOpen({ status, container, closedBy }: MembershipState): void {
  if (closedBy !== null) throw inProgress(closedBy);
  if (status === 'archived') throw archived(container);
}

/** Whether the grant only takes access away, which an archived container allows. */
function isDemotion(state: MembershipState, next: Membership<Role>): boolean {
  const isLower = state.role !== null && rankOf(next.role) < rankOf(state.role);
  return isLower && next.stakeholderRoles.every((word) => state.stakeholderRoles.includes(word));
}

/** Returns the properties that a grant changes, with their previous values. */
function differences(state: MembershipState, next: Membership<Role>): Record<string, unknown> {
  const previous: Record<string, unknown> = {};
  if (state.role !== next.role) previous.role = state.role;
  if (state.stakeholderRoles.join('\n') !== next.stakeholderRoles.join('\n')) {
    previous.stakeholder_roles = state.stakeholderRoles;
  }
  return previous;
}
