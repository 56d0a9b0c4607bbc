import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { InvitationLimit } from '../../access/memberships/invitation-limit.js';
import { MemberReferences } from '../../access/memberships/member-references.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { administratorRequired, forbidden, invalidField } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { rankOf, type Role } from '../../common/roles.js';
import type { Wire } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { checkEachItem, writeEachItem } from '../../platform/http/responses/refused-items.js';
import { UsersRepository } from '../users/users.repository.js';
import { InvitationLetters } from './invitation-letters.js';
import { InvitationTokens } from './invitation-tokens.js';
import type { CreateInvitationDto, CreateInvitationsDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { assertConsistent, assertFirstOfItsKind, assertMayOffer, expiryOf, kindOfferedBy } from './invitation.rules.js';
import { invitationView } from './invitation.view.js';
import { alreadyInvited, InvitationsRepository, type Invitee } from './invitations.repository.js';
import { LinkOffers } from './link-offers.js';

const LIST = 'invitations';

/** A new invitation with its token, which is returned only now; null if it is sent by mail. */
export type FreshInvitation = Wire<typeof invitationView> & { token: string | null };

/** An invitation that the caller may create. */
interface PreparedInvitation {
  dto: CreateInvitationDto;
  /** Undefined for an invitation for anyone with its token. */
  invitee: Invitee | undefined;
}

/** Creates invitations, one or many at once. */
@Injectable()
export class InvitationCreationService {
  constructor(
    private readonly access: Access,
    private readonly invitations: InvitationsRepository,
    private readonly letters: InvitationLetters,
    private readonly limit: InvitationLimit,
    private readonly links: LinkOffers,
    private readonly memberReferences: MemberReferences,
    private readonly tokens: InvitationTokens,
    private readonly users: UsersRepository,
    private readonly writer: ResourceWriter,
  ) {}

  async create(me: Caller, dto: CreateInvitationDto): Promise<FreshInvitation> {
    assertConsistent(dto);
    await this.limit.consume(me.userId);
    return this.write(me, await this.prepare(me, dto));
  }

  /** Creates all of the invitations or none, each counted by the limits; the error names each that is refused. */
  async createAll(me: Caller, { invitations }: CreateInvitationsDto): Promise<FreshInvitation[]> {
    await checkEachItem(invitations, { list: LIST }, (dto, index) => {
      assertConsistent(dto);
      assertFirstOfItsKind(dto, invitations.slice(0, index), LIST);
    });
    await this.limit.consume(me.userId, invitations.length);
    const prepared = await checkEachItem(invitations, { list: LIST, orderBy: placeOf }, async (dto) => {
      const invitation = await this.prepare(me, dto);
      if (invitation.invitee !== undefined && (await this.invitations.isInvited(dto))) throw alreadyInvited();
      return invitation;
    });
    return writeEachItem(prepared, { list: LIST, orderBy: addressOf }, (invitation) => this.write(me, invitation));
  }

  /** Checks the caller's rights to offer the roles or the link, and finds the invitee. */
  private async prepare(me: Caller, dto: CreateInvitationDto): Promise<PreparedInvitation> {
    const containers = await this.containersOf(me, dto);
    const invitee = await this.inviteeOf(me, dto);
    for (const container of containers) this.access.assertWritable(container);
    if (dto.kind === 'link') await this.links.get().assertHasHome(dto.endeavour_id ?? '');
    return { dto, invitee };
  }

  private async write(me: Caller, { dto, invitee }: PreparedInvitation): Promise<FreshInvitation> {
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

  /** Resolves the containers of a new invitation; 403 if the caller cannot grant its roles, or offer its link, there. */
  private async containersOf(me: Caller, offer: CreateInvitationDto): Promise<AuthorizedResource[]> {
    const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = offer;
    if (offer.kind === 'link') return [await this.links.get().authorize(me, endeavour_id ?? '')];
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
}

/** The container whose rows an invitation locks. */
const placeOf = ({ organization_id = '', endeavour_id = '' }: CreateInvitationDto): string =>
  `${organization_id} ${endeavour_id}`;

/** The address whose mails are counted. */
const addressOf = ({ invitee }: PreparedInvitation): string => invitee?.email ?? '';

function rowOf(me: Caller, dto: CreateInvitationDto): Invitation {
  const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = dto;
  const kind = kindOfferedBy(dto);
  return Object.assign(new Invitation(), {
    id: newId('invitation'),
    kind,
    email: dto.email ?? null,
    userId: dto.user_id ?? null,
    invitee: dto.email ?? dto.user_id ?? null,
    organizationId: organization_id ?? null,
    role: organization_id === undefined ? null : role,
    endeavourId: endeavour_id ?? null,
    endeavourRole: endeavour_id === undefined || kind === 'link' ? null : endeavour_role,
    maxUses: dto.max_uses ?? 1,
    expiresAt: expiryOf(dto.expires_at),
    invitedBy: me.userId,
  });
}
