import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { forbidden, invalidField, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { rankOf, type Role } from '../../common/roles.js';
import { parseInstant } from '../../common/time.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import type { Wire } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import { RequestFacts } from '../../platform/http/request-facts.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { MailContents, type MailTry, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import type { CreateInvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { invitationList, managedBy } from './invitation.list.js';
import { invitationView } from './invitation.view.js';
import { InvitationTokens } from './invitation-tokens.js';
import { Redemptions, type Accepted } from './redemptions.js';

const DAYS = 7;

/** An invitation right after it was made: the only time its token is shown, if it is shown at all. */
export type FreshInvitation = Wire<typeof invitationView> & { token: string | null };

/** Invitations: offers of roles by those who may give them. */
@Injectable()
export class InvitationsService implements OnModuleInit {
  constructor(
    private readonly access: Access,
    private readonly contents: MailContents,
    private readonly database: Database,
    private readonly facts: RequestFacts,
    private readonly listing: Listing,
    private readonly outbox: Outbox,
    private readonly redemptions: Redemptions,
    private readonly tokens: InvitationTokens,
    private readonly writes: Writes,
  ) {}

  onModuleInit(): void {
    this.contents.provide('invitation', ({ invitation_id }, mail) => this.mailFor(String(invitation_id), mail));
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, invitationList, query);
  }

  async create(me: Caller, dto: CreateInvitationDto): Promise<FreshInvitation> {
    assertShape(dto);
    await this.assertMayInvite(me, dto);
    const token = dto.email === undefined ? this.tokens.make() : null;
    const id = newId('invitation');
    const made = await this.writes.create(me, invitationView, Invitation, {
      row: { ...rowOf(id, me, dto), tokenHash: token === null ? null : this.tokens.hashOf(token) },
      place: { ownerUserId: me.userId },
      title: 'Invitation',
    });
    if (dto.email !== undefined) {
      await this.outbox.send({ kind: 'invitation', to: dto.email, lang: 'en', data: { invitation_id: id } });
    }
    return { ...made.read(invitationView), token };
  }

  /** From now on its token is worth nothing; 404 for whoever may not invite there. */
  async withdraw(me: Caller, id: string): Promise<{ id: string; deleted: true }> {
    const [found] = await this.database.query(
      `SELECT 1 FROM invitations i WHERE i.id = $2 AND i.deleted_at IS NULL
       AND (($3 AND $1::text IS NOT NULL) OR ${managedBy('$1')}) FOR NO KEY UPDATE OF i`,
      [me.userId, id, me.isAdmin],
    );
    if (found === undefined) throw notFound();
    const current = await this.database.row(Invitation, id);
    this.facts.assertMatches(current.revision);
    const place = { ownerUserId: current.invitedBy };
    await this.writes.remove(me, invitationView, Invitation, current, place, { deletedAt: new Date() });
    return { id, deleted: true };
  }

  async accept(me: Caller, token: string): Promise<Accepted> {
    const user = await this.database.one<{ email: string }>('SELECT email FROM users WHERE id = $1', [me.userId]);
    return this.redemptions.redeem({ ...me, email: user?.email ?? '' }, this.tokens.hashOf(token));
  }

  private async assertMayInvite(me: Caller, dto: CreateInvitationDto): Promise<void> {
    const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = dto;
    if (organization_id === undefined && endeavour_id === undefined && !me.isAdmin) throw forbidden('an administrator');
    if (organization_id !== undefined) {
      const place = await this.access.named(
        me,
        'organizations_members_add',
        'organization_id',
        organization_id,
        'organization',
      );
      assertReaches(place.rank, role);
      this.access.ready(place);
    }
    if (endeavour_id !== undefined) {
      const place = await this.access.named(me, 'endeavours_members_add', 'endeavour_id', endeavour_id, 'endeavour');
      assertReaches(place.rank, endeavour_role);
      this.access.ready(place);
    }
  }

  private async mailFor(id: string, mail: MailTry): Promise<MailValues | undefined> {
    const token = mail.token();
    const row = await this.database.one<{ inviter: string; place: string; expires: string }>(
      `UPDATE invitations i SET token_hash = $2 FROM users u
       WHERE i.id = $1 AND u.id = i.invited_by AND i.deleted_at IS NULL AND i.expires_at > clock_timestamp()
       RETURNING u.name AS inviter, to_char(i.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires,
         coalesce((SELECT o.name FROM organizations o WHERE o.id = i.organization_id),
                  (SELECT e.name FROM endeavours e WHERE e.id = i.endeavour_id), 'Worksmith') AS place`,
      [id, this.tokens.hashOf(token)],
    );
    return row && { ...row, token };
  }
}

function rowOf(id: string, me: Caller, dto: CreateInvitationDto): Partial<Invitation> & { id: string } {
  const { organization_id, role = 'member', endeavour_id, endeavour_role = 'member' } = dto;
  const inDays = new Date(Date.now() + DAYS * 24 * 3_600_000);
  return {
    id,
    email: dto.email ?? null,
    organizationId: organization_id ?? null,
    role: organization_id === undefined ? null : role,
    endeavourId: endeavour_id ?? null,
    endeavourRole: endeavour_id === undefined ? null : endeavour_role,
    maxUses: dto.max_uses ?? 1,
    expiresAt: dto.expires_at === undefined ? inDays : (parseInstant(dto.expires_at) ?? inDays),
    invitedBy: me.userId,
  };
}

function assertShape({ email, max_uses, expires_at, ...dto }: CreateInvitationDto): void {
  if (email !== undefined && max_uses !== undefined && max_uses > 1) {
    throw invalidField('max_uses', 'out_of_range', 'max_uses must be 1 where the invitation goes to one address.');
  }
  if (expires_at !== undefined && (parseInstant(expires_at)?.getTime() ?? 0) <= Date.now()) {
    throw invalidField('expires_at', 'out_of_range', 'expires_at must be in the future.');
  }
  if (dto.role !== undefined && dto.organization_id === undefined) {
    throw invalidField('organization_id', 'required', 'organization_id is required with role.');
  }
  if (dto.endeavour_role !== undefined && dto.endeavour_id === undefined) {
    throw invalidField('endeavour_id', 'required', 'endeavour_id is required with endeavour_role.');
  }
}

function assertReaches(rank: number, role: Role): void {
  if (rankOf(role) > rank) throw forbidden(`the role ${role}`);
}
