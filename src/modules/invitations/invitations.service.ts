import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import { RequestContext } from '../../platform/context/request-context.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { parseFlag } from '../../platform/http/requests/parsed.js';
import { Listing } from '../../platform/listing/listing.js';
import { UsersRepository } from '../users/users.repository.js';
import { InvitationAcceptanceService, type Accepted, type SignedInAccepter } from './invitation-acceptance.service.js';
import { InvitationTokens, invalidToken } from './invitation-tokens.js';
import type { AcceptInvitationDto, AcceptOwnInvitationDto, UpdateInvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { invitationList, ownInvitationList } from './invitation.list.js';
import { assertChangeAllowed, assertMayOffer, expiryOf, isOpen } from './invitation.rules.js';
import { invitationView } from './invitation.view.js';
import { InvitationsRepository } from './invitations.repository.js';
import { LinkOffers } from './link-offers.js';

/** Lists, updates and withdraws invitations, and lets invited users accept or refuse them. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly invitations: InvitationsRepository,
    private readonly links: LinkOffers,
    private readonly listing: Listing,
    private readonly tokens: InvitationTokens,
    private readonly users: UsersRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** With `mine=true`, lists the invitations for the caller; otherwise the invitations that the caller can change. */
  list(me: Caller, query: RawQuery): Promise<Page> {
    const { mine } = query.query;
    const parsed = typeof mine === 'string' ? parseFlag(mine) : { value: false };
    const isOwn = 'value' in parsed && parsed.value === true;
    return this.listing.page(me, isOwn ? ownInvitationList : invitationList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const invitation = await this.invitations.read(me, id, fields);
    if (invitation === undefined) throw notFound();
    return invitation;
  }

  async update(me: Caller, id: string, dto: UpdateInvitationDto): Promise<Representation> {
    const current = await this.lockManaged(me, id);
    const containers = await this.authorizeContainers(me, current);
    this.context.assertIfMatch(current.revision);
    for (const container of containers) this.access.assertWritable(container);
    assertChangeAllowed(dto, current);
    const maxUses = dto.max_uses ?? current.maxUses;
    const expiresAt = dto.expires_at === undefined ? current.expiresAt : expiryOf(dto.expires_at);
    const { uses, refusedAt } = current;
    if (current.invitee !== null) await this.invitations.closeExpired(current.invitee, id);
    const change = this.writer.patch(me, invitationView, Invitation, {
      current,
      changes: { maxUses, expiresAt, isOpen: isOpen({ uses, maxUses, refusedAt, expiresAt }) },
      place: { ownerUserId: current.invitedBy },
    });
    return this.invitations.assertOnlyOne(change);
  }

  /** Deletes an invitation, whose token becomes invalid; 404 if the caller cannot change it. */
  async withdraw(me: Caller, id: string): Promise<{ id: string; deleted: true }> {
    const current = await this.lockManaged(me, id);
    this.context.assertIfMatch(current.revision);
    const changes = { deletedAt: new Date(), isOpen: false };
    await this.writer.remove(me, invitationView, Invitation, current, { ownerUserId: current.invitedBy }, changes);
    return { id, deleted: true };
  }

  async accept(me: Caller, { token, organization_id }: AcceptInvitationDto): Promise<Accepted> {
    return this.acceptance.acceptByToken(await this.accepter(me), this.tokens.hashOf(token), organization_id);
  }

  async acceptOwn(me: Caller, id: string, { organization_id }: AcceptOwnInvitationDto): Promise<Accepted> {
    return this.acceptance.acceptOwn(await this.accepter(me), id, organization_id);
  }

  /** Refuses the caller's own invitation, and mutes invitations to the same container for 30 days. */
  async refuse(me: Caller, id: string): Promise<{ status: 'refused' }> {
    const current = await this.invitations.lockOwn(me.userId, id);
    if (current === undefined) throw notFound();
    if (current.refusedAt !== null) return { status: 'refused' };
    if (!(await this.invitations.isUsable(current))) throw invalidToken();
    await this.writer.patch(me, invitationView, Invitation, {
      current,
      changes: { refusedAt: new Date(), refusedBy: me.userId, isOpen: false },
      place: { ownerUserId: current.invitedBy },
      type: () => 'invitation.refused',
    });
    return { status: 'refused' };
  }

  private async lockManaged(me: Caller, id: string): Promise<Invitation> {
    const invitation = await this.invitations.lockManaged(me, id);
    if (invitation === undefined) throw notFound();
    return invitation;
  }

  private async accepter(me: Caller): Promise<SignedInAccepter> {
    const user = await this.users.inviteeById(me.userId);
    return { ...me, email: user?.email ?? '' };
  }

  /** Returns the containers of an invitation; 403 if the caller cannot grant its roles, or offer its link, there now. */
  private async authorizeContainers(me: Caller, invitation: Invitation): Promise<AuthorizedResource[]> {
    const { kind, organizationId, role, endeavourId, endeavourRole } = invitation;
    if (kind === 'link') return [await this.links.get().authorize(me, String(endeavourId))];
    const containers: AuthorizedResource[] = [];
    if (organizationId !== null) {
      const organization = await this.access.authorize(me, 'organizations_members_add', organizationId);
      assertMayOffer(organization.rank, role ?? 'member');
      containers.push(organization);
    }
    if (endeavourId !== null) {
      const endeavour = await this.access.authorize(me, 'endeavours_members_add', endeavourId);
      assertMayOffer(endeavour.rank, endeavourRole ?? 'member');
      containers.push(endeavour);
    }
    return containers;
  }
}
