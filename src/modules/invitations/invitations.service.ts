import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InvitationLimit } from '../../access/invitation-limit.js';
import { MemberReferences } from '../../access/member-references.js';
import type { OperationId } from '../../access/permissions.js';
import { administratorRequired, forbidden, invalidField, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { rankOf, type Role } from '../../common/roles.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation, Wire } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import { RequestContext } from '../../platform/http/request-context.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { parseFlag } from '../../platform/listing/filters.js';
import { Listing } from '../../platform/listing/listing.js';
import { UsersRepository } from '../users/users.repository.js';
import { InvitationAcceptanceService, type Accepted, type Accepter } from './invitation-acceptance.service.js';
import { InvitationLetters } from './invitation-letters.js';
import { InvitationTokens, invalidToken } from './invitation-tokens.js';
import type { CreateInvitationDto, UpdateInvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { invitationList, ownInvitationList } from './invitation.list.js';
import { assertChangeAllowed, assertMayOffer, assertConsistent, expiryOf, isOpen } from './invitation.rules.js';
import { invitationView } from './invitation.view.js';
import { InvitationsRepository, type Invitee } from './invitations.repository.js';

/** A new invitation with its token, which is returned only now; null if it is sent by mail. */
export type FreshInvitation = Wire<typeof invitationView> & { token: string | null };

/** Creates, lists, updates and withdraws invitations, and lets invited users accept or refuse them. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly invitations: InvitationsRepository,
    private readonly letters: InvitationLetters,
    private readonly limit: InvitationLimit,
    private readonly listing: Listing,
    private readonly memberReferences: MemberReferences,
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

  async create(me: Caller, dto: CreateInvitationDto): Promise<FreshInvitation> {
    assertConsistent(dto);
    await this.limit.consume(me.userId);
    const containers = await this.containersOf(me, dto);
    const invitee = await this.inviteeOf(me, dto);
    for (const container of containers) this.access.assertWritable(container);
    const token = invitee === undefined ? this.tokens.generate() : null;
    const row = rowOf(me, dto);
    row.tokenHash = token === null ? null : this.tokens.hashOf(token);
    if (invitee !== undefined) {
      row.mailStatus = (await this.letters.reserve(me, row, invitee.email)) ? 'queued' : 'not_sent';
      row.isMuted = await this.invitations.hasRefused(invitee.id, row);
      await this.invitations.closeExpired(row.invitee ?? '', row.id);
    }
    const creation = this.writer.create(me, invitationView, Invitation, {
      row,
      place: { ownerUserId: me.userId },
      title: 'Invitation',
    });
    const created = await this.invitations.assertOnlyOne(creation);
    if (invitee !== undefined && row.mailStatus === 'queued') {
      await this.letters.send(me, row, invitee, (await this.users.langOf(me.userId)) ?? 'en');
    }
    return { ...created.read(invitationView), token };
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

  async accept(me: Caller, token: string): Promise<Accepted> {
    return this.acceptance.acceptByToken(await this.accepter(me), this.tokens.hashOf(token));
  }

  async acceptOwn(me: Caller, id: string): Promise<Accepted> {
    return this.acceptance.acceptOwn(await this.accepter(me), id);
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

  private async accepter(me: Caller): Promise<Accepter> {
    const user = await this.users.inviteeById(me.userId);
    return { ...me, email: user?.email ?? '' };
  }

  /** Returns the invitee; undefined for an invitation for anyone with its token. */
  private async inviteeOf(me: Caller, { email, user_id }: CreateInvitationDto): Promise<Invitee | undefined> {
    if (email !== undefined) return (await this.users.inviteeByEmail(email)) ?? { id: null, email, lang: null };
    if (user_id === undefined) return undefined;
    const { userId } = await this.memberReferences.person(me, 'user_id', user_id);
    const invitee = await this.users.inviteeById(userId);
    if (invitee?.isManaged)
      throw invalidField('user_id', 'invalid_value', 'user_id is an agent; add it as a member instead of inviting it.');
    return invitee;
  }

  /** Resolves the containers of a new invitation; 403 if the caller cannot grant its roles there. */
  private async containersOf(me: Caller, offer: CreateInvitationDto): Promise<AuthorizedResource[]> {
    const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = offer;
    if (organization_id === undefined && endeavour_id === undefined && !me.isAdmin) throw administratorRequired();
    const requested: [OperationId, string, string | undefined, 'organization' | 'endeavour', Role][] = [
      ['organizations_members_add', 'organization_id', organization_id, 'organization', role],
      ['endeavours_members_add', 'endeavour_id', endeavour_id, 'endeavour', endeavour_role],
    ];
    const containers: AuthorizedResource[] = [];
    for (const [operation, field, id, kind, offeredRole] of requested) {
      if (id === undefined) continue;
      const container = await this.access.resolveReference(me, operation, field, id, kind);
      assertMayOffer(container.rank, offeredRole);
      containers.push(container);
    }
    const isRaised = rankOf(endeavour_role) > rankOf('member') && !me.isAdmin;
    if (isRaised && (await this.invitations.bringsOutsider(me.userId, offer))) {
      throw forbidden('the owner role in the home organization of this endeavour');
    }
    return containers;
  }

  /** Returns the containers of an invitation; 403 if the caller cannot grant its roles there now. */
  private async authorizeContainers(me: Caller, invitation: Invitation): Promise<AuthorizedResource[]> {
    const { organizationId, role, endeavourId, endeavourRole } = invitation;
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

function rowOf(me: Caller, dto: CreateInvitationDto): Invitation {
  const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = dto;
  return Object.assign(new Invitation(), {
    id: newId('invitation'),
    email: dto.email ?? null,
    userId: dto.user_id ?? null,
    invitee: dto.email ?? dto.user_id ?? null,
    organizationId: organization_id ?? null,
    role: organization_id === undefined ? null : role,
    endeavourId: endeavour_id ?? null,
    endeavourRole: endeavour_id === undefined ? null : endeavour_role,
    maxUses: dto.max_uses ?? 1,
    expiresAt: expiryOf(dto.expires_at),
    invitedBy: me.userId,
  });
}
