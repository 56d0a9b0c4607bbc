import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InvitationLimit } from '../../access/invitation-limit.js';
import { Memberships } from '../../access/memberships.js';
import type { OperationId } from '../../access/permissions.js';
import { administratorRequired, forbidden, notFound } from '../../common/errors.js';
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
import { assertFits, assertReaches, assertShape, expiryOf, isOpen } from './invitation.rules.js';
import { invitationView } from './invitation.view.js';
import { InvitationsRepository, type Invitee } from './invitations.repository.js';

/** An invitation right after it was made: the only time its token is shown, if it is shown at all. */
export type FreshInvitation = Wire<typeof invitationView> & { token: string | null };

/** Invitations: offers of roles by those who may give them. */
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
    private readonly memberships: Memberships,
    private readonly tokens: InvitationTokens,
    private readonly users: UsersRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** With `mine` those for the caller, otherwise those to places where the caller may invite. */
  list(me: Caller, query: RawQuery): Promise<Page> {
    const { mine } = query.query;
    const parsed = typeof mine === 'string' ? parseFlag(mine) : { value: false };
    const isOwn = 'value' in parsed && parsed.value === true;
    return this.listing.page(me, isOwn ? ownInvitationList : invitationList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const found = await this.invitations.read(me, id, fields);
    if (found === undefined) throw notFound();
    return found;
  }

  async create(me: Caller, dto: CreateInvitationDto): Promise<FreshInvitation> {
    assertShape(dto);
    await this.limit.spend(me.userId);
    const places = await this.placesOf(me, dto);
    const invitee = await this.inviteeOf(me, dto);
    for (const place of places) this.access.assertWritable(place);
    const token = invitee === undefined ? this.tokens.make() : null;
    const row = rowOf(me, dto);
    row.tokenHash = token === null ? null : this.tokens.hashOf(token);
    if (invitee !== undefined) {
      row.mailStatus = 'queued';
      row.isMuted = await this.invitations.hasRefused(invitee.id, row);
      await this.invitations.closeExpired(row.invitee ?? '', row.id);
    }
    const creation = this.writer.create(me, invitationView, Invitation, {
      row,
      place: { ownerUserId: me.userId },
      title: 'Invitation',
    });
    const made = await this.invitations.assertOnlyOne(creation);
    if (invitee !== undefined) {
      await this.letters.send(me, row, invitee, (await this.users.langOf(me.userId)) ?? 'en');
    }
    return { ...made.read(invitationView), token };
  }

  async update(me: Caller, id: string, dto: UpdateInvitationDto): Promise<Representation> {
    const current = await this.managed(me, id);
    const places = await this.stillInvites(me, current);
    this.context.assertIfMatch(current.revision);
    for (const place of places) this.access.assertWritable(place);
    assertFits(dto, current);
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

  /** From now on its token is worth nothing; 404 for who may not invite there. */
  async withdraw(me: Caller, id: string): Promise<{ id: string; deleted: true }> {
    const current = await this.managed(me, id);
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

  /** Mutes invitations to the same container for 30 days. */
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

  private async managed(me: Caller, id: string): Promise<Invitation> {
    const found = await this.invitations.lockManaged(me, id);
    if (found === undefined) throw notFound();
    return found;
  }

  private async accepter(me: Caller): Promise<Accepter> {
    const user = await this.users.inviteeById(me.userId);
    return { ...me, email: user?.email ?? '' };
  }

  /** Undefined for an invitation that is for anyone who has its token. */
  private async inviteeOf(me: Caller, { email, user_id }: CreateInvitationDto): Promise<Invitee | undefined> {
    if (email !== undefined) return (await this.users.inviteeByEmail(email)) ?? { id: null, email, lang: null };
    if (user_id === undefined) return undefined;
    const { userId } = await this.memberships.person(me, 'user_id', user_id);
    return this.users.inviteeById(userId);
  }

  /** The places that an invitation is to lead to, where the caller may give the roles. */
  private async placesOf(me: Caller, offer: CreateInvitationDto): Promise<AuthorizedResource[]> {
    const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = offer;
    if (organization_id === undefined && endeavour_id === undefined && !me.isAdmin) throw administratorRequired();
    const named: [OperationId, string, string | undefined, 'organization' | 'endeavour', Role][] = [
      ['organizations_members_add', 'organization_id', organization_id, 'organization', role],
      ['endeavours_members_add', 'endeavour_id', endeavour_id, 'endeavour', endeavour_role],
    ];
    const places: AuthorizedResource[] = [];
    for (const [operation, field, id, kind, given] of named) {
      if (id === undefined) continue;
      const place = await this.access.resolveReference(me, operation, field, id, kind);
      assertReaches(place.rank, given);
      places.push(place);
    }
    const isRaised = rankOf(endeavour_role) > rankOf('member') && !me.isAdmin;
    if (isRaised && (await this.invitations.bringsOutsider(me.userId, offer))) {
      throw forbidden('the owner role in the home organization of this endeavour');
    }
    return places;
  }

  /** The places that an invitation leads to, where the caller could give the roles today. */
  private async stillInvites(me: Caller, invitation: Invitation): Promise<AuthorizedResource[]> {
    const { organizationId, role, endeavourId, endeavourRole } = invitation;
    const places: AuthorizedResource[] = [];
    if (organizationId !== null) {
      const place = await this.access.authorize(me, 'organizations_members_add', organizationId);
      assertReaches(place.rank, role ?? 'member');
      places.push(place);
    }
    if (endeavourId !== null) {
      const place = await this.access.authorize(me, 'endeavours_members_add', endeavourId);
      assertReaches(place.rank, endeavourRole ?? 'member');
      places.push(place);
    }
    return places;
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
