import { Injectable } from '@nestjs/common';
import { archived, inProgress, invalidInput, notFound, referenceNotFound } from '../common/errors.js';
import type { EndeavourRole, OrganizationRole, Role } from '../common/roles.js';
import { rankOf } from '../common/roles.js';
import { EventRecorder } from '../platform/events/event-recorder.js';
import { Database } from '../platform/database/database.js';
import { Access } from './access.js';
import { isByToken, type Caller } from './caller.js';
import { assertMayGive, assertMayTake } from './membership.rules.js';
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
  /** Does not change a member whose role is already as high (invitations). */
  raisesOnly?: boolean;
}

/**
 * Gives and takes roles in organizations and endeavours, for every route that does so (spec 02): admin there, never
 * above one's own role, only owners touch owner roles, the last active owner stays (409 `last_owner`), any member may
 * leave. The container's row is locked meanwhile, so that two owners cannot demote each other at once. An archived
 * container still lets members go or be demoted. Records
 * `member.added`, `member.changed` or `member.removed` at the container.
 *
 * The routes themselves decide who sees the container (`access.authorize`) before they call this:
 * - `member(me, 'user_id', id)` finds who is meant, 400 where the caller cannot see them; `person` refuses what is no user
 * - `grantOrganization(me, organizationId, member, { role })`, `revokeOrganization(me, organizationId, resourceId)`
 * - `grantEndeavour(me, endeavourId, member, { role, stakeholderRoles })`, `revokeEndeavour(me, endeavourId, resourceId)`
 * - `seat('endeavour', endeavourId, me)` makes the creator its first owner, within `satellites` of the creation
 */
@Injectable()
export class Memberships {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly membershipRows: MembershipRows,
    private readonly events: EventRecorder,
  ) {}

  /** The one named by a `usr_` or `res_` id, or `me`, in a field of the body. */
  async member(me: Caller, field: string, id: string): Promise<Member> {
    if (id === 'me') return me;
    const found = await this.access.find(me, id);
    const member =
      found &&
      (await this.database.one<Member>(
        'SELECT id AS "resourceId", user_id AS "userId" FROM resources WHERE id = $1 OR user_id = $1',
        [id],
      ));
    if (member === undefined) throw invalidInput([referenceNotFound(field)]);
    return member;
  }

  /** The same where only people will do: an endeavour has no other members. */
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

  /** Ends the sharing of a resource without a user; the calling code has checked the permission. */
  async endSharing(me: Granter, organizationId: string, resourceId: string): Promise<void> {
    await this.membershipRows.delete('organization', organizationId, resourceId);
    const former = { resourceId, userId: null, role: null, stakeholderRoles: [] };
    await this.recordEvent('organization', me, organizationId, 'member.removed', former, {});
  }

  /** Ends the membership of an agent that is deleted. */
  async removeAgent(me: Granter, organizationId: string, { resourceId, userId }: Member): Promise<void> {
    await this.membershipRows.delete('organization', organizationId, resourceId);
    const former = { resourceId, userId, role: null, stakeholderRoles: [] };
    await this.recordEvent('organization', me, organizationId, 'member.removed', former, {});
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
    const seat = await this.membershipRows.find(container, me, id, member.resourceId);
    const present = seat.role as R | null;
    const stays = raisesOnly && present !== null && rankOf(present) >= rankOf(role ?? 'member');
    const next: Membership<R> = {
      resourceId: member.resourceId,
      userId: member.userId,
      role: (stays ? present : (role ?? present)) ?? ('member' as R),
      stakeholderRoles: stakeholderRoles ?? seat.stakeholderRoles,
    };
    assertMayGive(seat, next.role);
    if (!isDemotion(seat, next)) assertOpen(seat);
    const previous = differences(seat, next);
    if (Object.keys(previous).length === 0) return { ...next, isNew: false };
    await this.membershipRows.upsert(container, id, next, me.userId);
    await this.recordEvent(container, me, id, present === null ? 'member.added' : 'member.changed', next, previous);
    return { ...next, isNew: present === null };
  }

  private async revoke(container: Container, me: Granter, id: string, resourceId: string): Promise<void> {
    const seat = await this.membershipRows.find(container, me, id, resourceId);
    if (seat.role === null) throw notFound();
    assertMayTake(seat);
    await this.membershipRows.delete(container, id, resourceId);
    const { userId, role, stakeholderRoles } = seat;
    if (seat.isMyself && userId !== null) await this.membershipRows.recordDeparture(id, userId);
    const former = { resourceId, userId, role, stakeholderRoles };
    await this.recordEvent(container, me, id, 'member.removed', former, { role });
  }

  private async recordEvent(
    container: Container,
    me: Granter,
    id: string,
    type: string,
    member: Omit<Membership<Role>, 'role'> & { role: Role | null },
    previous: Record<string, unknown>,
  ): Promise<void> {
    const place = container === 'organization' ? { organizationId: id } : { endeavourId: id };
    const data = {
      resource_id: member.resourceId,
      user_id: member.userId,
      role: member.role,
      stakeholder_roles: member.stakeholderRoles,
    };
    await this.events.record(me, container, id, place, { type, previous, data, audience: [member.resourceId] });
  }
}

function assertOpen({ status, container, closedBy }: MembershipState): void {
  if (closedBy !== null) throw inProgress(closedBy);
  if (status === 'archived') throw archived(container);
}

/** Whether the grant only takes access away, which an archived container allows. */
function isDemotion(seat: MembershipState, next: Membership<Role>): boolean {
  const isLower = seat.role !== null && rankOf(next.role) < rankOf(seat.role);
  return isLower && next.stakeholderRoles.every((word) => seat.stakeholderRoles.includes(word));
}

/** What a grant changes, with what it was before. */
function differences(seat: MembershipState, next: Membership<Role>): Record<string, unknown> {
  const previous: Record<string, unknown> = {};
  if (seat.role !== next.role) previous.role = seat.role;
  if (seat.stakeholderRoles.join('\n') !== next.stakeholderRoles.join('\n')) {
    previous.stakeholder_roles = seat.stakeholderRoles;
  }
  return previous;
}
