import { Injectable } from '@nestjs/common';
import { Callers } from '../../access/authentication/callers.js';
import type { Caller } from '../../access/authentication/caller.js';
import { MembershipRows } from '../../access/memberships/membership-rows.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { Tiers } from '../../access/tiers/tiers.js';
import { invalidField, notFound, ApiError } from '../../common/errors.js';
import type { EndeavourRole, OrganizationRole } from '../../common/roles.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Invitation } from './invitation.entity.js';
import { invitationView } from './invitation.view.js';
import { InvitationTokens, invalidToken } from './invitation-tokens.js';
import { InvitationsRepository } from './invitations.repository.js';
import { LinkOffers } from './link-offers.js';

/** The roles that an invitation granted, or the organization and the endeavour that it linked, without roles. */
export interface Accepted {
  organization_id: string | null;
  role: OrganizationRole | null;
  endeavour_id: string | null;
  endeavour_role: EndeavourRole | null;
}

/** The user who accepts, with the verified e-mail address. */
export type Accepter = Actor & { email: string };

/** The same with a session, which can accept invitations of every kind. */
export type SignedInAccepter = Caller & { email: string };

/** Error codes for which an invitation is invalid, because the inviter could not grant its roles now. */
const INVALIDATING_CODES = ['forbidden', 'not_found', 'archived', 'in_progress'];

/** Grants the roles, or writes the links, of invitations that are accepted by token, by the invited user, or at the end of a sign-up. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly callers: Callers,
    private readonly invitations: InvitationsRepository,
    private readonly links: LinkOffers,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
    private readonly tiers: Tiers,
    private readonly tokens: InvitationTokens,
    private readonly writer: ResourceWriter,
  ) {}

  /** The hash of a token, and how many times a sign-up with that e-mail address can use it now. */
  async usable(token: string, email: string): Promise<{ hash: string; usesLeft: number }> {
    const hash = this.tokens.hashOf(token);
    return { hash, usesLeft: await this.invitations.usesLeftFor(email, hash) };
  }

  /** Accepts an invitation by its token, for one of the kind `link` into the organization; called in a transaction. */
  async acceptByToken(me: SignedInAccepter, hash: string, organizationId?: string): Promise<Accepted> {
    const invitation = await this.invitations.lockByToken(hash);
    if (invitation === undefined || !isFor(invitation, me)) throw invalidToken();
    return this.acceptAny(me, invitation, organizationId);
  }

  /** Accepts the caller's own invitation without the token; 404 for invitations to others. */
  async acceptOwn(me: SignedInAccepter, id: string, organizationId?: string): Promise<Accepted> {
    const invitation = await this.invitations.lockOwn(me.userId, id);
    if (invitation === undefined) throw notFound();
    return this.acceptAny(me, invitation, organizationId);
  }

  /**
   * Accepts an invitation at the end of a sign-up, which counts as a use even if no role is granted. Returns false if the
   * invitation is no longer valid.
   */
  async tryToAccept(me: Accepter, hash: string): Promise<boolean> {
    try {
      await this.invitations.inSavepoint(async () => {
        const invitation = await this.invitations.lockByToken(hash);
        if (invitation?.kind !== 'roles' || !isFor(invitation, me)) throw invalidToken();
        await this.accept(me, invitation, { isAccountGranted: true });
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  private async acceptAny(
    me: SignedInAccepter,
    invitation: Invitation,
    organizationId: string | undefined,
  ): Promise<Accepted> {
    if (invitation.kind === 'link') return this.acceptLink(me, invitation, organizationId);
    if (organizationId === undefined) return this.accept(me, invitation);
    throw invalidField(
      'organization_id',
      'invalid_value',
      'organization_id is accepted only with an invitation to link an endeavour.',
    );
  }

  /** Links the endeavour, and counts a use if it was not linked to that organization before. */
  private async acceptLink(
    me: SignedInAccepter,
    invitation: Invitation,
    organization_id: string | undefined,
  ): Promise<Accepted> {
    if (!(await this.invitations.isUsable(invitation))) throw invalidToken();
    if (organization_id === undefined) {
      throw invalidField(
        'organization_id',
        'required',
        'organization_id is required: name an organization where you are an admin.',
      );
    }
    const endeavour_id = String(invitation.endeavourId);
    const inviter = await this.inviterOf(invitation);
    const link = { organization_id, endeavour_id, offeredAt: invitation.createdAt };
    const isNew = await this.links.get().link(me, inviter, link);
    // The endeavour is locked now, and so are its memberships.
    if (await this.invitations.hasLostRightsSince(me.userId, invitation)) throw invalidToken();
    if (isNew && (await this.invitations.recordAcceptance(invitation.id, me.userId))) {
      await this.countUse(me, invitation);
    }
    return { organization_id, role: null, endeavour_id, endeavour_role: null };
  }

  /**
   * Grants the roles that the inviter can grant now, and counts a use if something was granted. The calling code has locked
   * the invitation, so that two users cannot both have the last use.
   */
  private async accept(me: Accepter, invitation: Invitation, { isAccountGranted = false } = {}): Promise<Accepted> {
    if (!(await this.invitations.isUsable(invitation))) throw invalidToken();
    await this.lockMemberships(me, invitation);
    if (await this.invitations.hasLostRightsSince(me.userId, invitation)) throw invalidToken();
    const inviter = await this.inviterOf(invitation);
    const before = await this.invitations.rolesOf(me.userId, invitation);
    const accepted = await this.grant(inviter, me, invitation, before.organization === null);
    const isGranted =
      isAccountGranted || accepted.role !== before.organization || accepted.endeavour_role !== before.endeavour;
    if (isGranted && (await this.invitations.recordAcceptance(invitation.id, me.userId))) {
      await this.countUse(me, invitation);
    }
    return accepted;
  }

  /** Waits for the removal of the user that another transaction is writing, which the invitation does not survive. */
  private async lockMemberships(me: Accepter, { organizationId, endeavourId }: Invitation): Promise<void> {
    if (organizationId !== null) await this.membershipRows.lock('organization', organizationId);
    if (endeavourId === null) return;
    await this.membershipRows.lock('endeavour', endeavourId);
    await this.membershipRows.lockAtHome(endeavourId, me.userId);
  }

  private async grant(inviter: Caller, me: Accepter, invitation: Invitation, isNew: boolean): Promise<Accepted> {
    try {
      if (invitation.organizationId !== null && isNew)
        await this.tiers.assertMayJoin(inviter, invitation.organizationId, me.resourceId);
      return await this.grantRoles(inviter, me, invitation);
    } catch (error) {
      throw error instanceof ApiError && INVALIDATING_CODES.includes(error.code) ? invalidToken() : error;
    }
  }

  private async inviterOf({ invitedBy }: Invitation): Promise<Caller> {
    const inviter = await this.callers.byUser(invitedBy);
    if (inviter === undefined) throw invalidToken();
    return inviter.caller;
  }

  private async grantRoles(inviter: Caller, me: Accepter, invitation: Invitation): Promise<Accepted> {
    const { organizationId, role, endeavourId, endeavourRole } = invitation;
    const accepted: Accepted = {
      organization_id: organizationId,
      role: null,
      endeavour_id: endeavourId,
      endeavour_role: null,
    };
    const member = { userId: me.userId, resourceId: me.resourceId };
    if (organizationId !== null && role !== null) {
      const grant = { role, raisesOnly: true };
      accepted.role = (await this.memberships.grantOrganization(inviter, organizationId, member, grant)).role;
    }
    if (endeavourId !== null && endeavourRole !== null) {
      const grant = { role: endeavourRole, raisesOnly: true };
      accepted.endeavour_role = (await this.memberships.grantEndeavour(inviter, endeavourId, member, grant)).role;
    }
    return accepted;
  }

  private async countUse(me: Accepter, invitation: Invitation): Promise<void> {
    const uses = invitation.uses + 1;
    await this.writer.patch(me, invitationView, Invitation, {
      current: invitation,
      changes: { uses, isOpen: uses < invitation.maxUses },
      place: { ownerUserId: invitation.invitedBy },
    });
  }
}

/** Whether the user can accept the invitation: its e-mail address or user must match, and it must not be muted. */
const isFor = ({ email, userId, isMuted }: Invitation, me: Accepter): boolean =>
  !isMuted && (email === null || email === me.email) && (userId === null || userId === me.userId);
