import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../../platform/context/actor.js';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';
import { mailName } from '../../platform/mail/mail-name.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Invitation, InvitationKind } from './invitation.entity.js';
import { InvitationLettersRepository } from './invitation-letters.repository.js';
import { InvitationTokens } from './invitation-tokens.js';
import type { Invitee } from './invitations.repository.js';

const DAY = 24 * 3600;
/** The mail about each kind of invitation. */
const MAIL_OF = { roles: 'invitation', link: 'link_invitation' } as const satisfies Record<InvitationKind, MailKind>;
/** The part of the mails to one address that one organization, or an endeavour without a home, can use up: 3 of 10. */
const SHARE_OF_PLACE = 0.3;

/** Notifies invited people by mail with the token, and users who are invited by id also in their inbox. */
@Injectable()
export class InvitationLetters implements OnModuleInit {
  constructor(
    private readonly contents: MailContents,
    private readonly letters: InvitationLettersRepository,
    private readonly limits: Limits,
    private readonly messages: MessagesService,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly tokens: InvitationTokens,
  ) {}

  onModuleInit(): void {
    for (const kind of Object.values(MAIL_OF)) {
      this.contents.provide(kind, (data, mail) => this.composeMail(data, mail));
    }
  }

  /** Counts a mail to the address; false above the limits, of which one place can use up only a part. */
  async reserve(inviter: Actor, invitation: Invitation, email: string): Promise<boolean> {
    const place = (await this.letters.homeOf(invitation)) ?? invitation.endeavourId ?? inviter.userId;
    const most = this.settings.LIMIT_INVITATION_MAILS_PER_DAY;
    const ofPlace = { name: 'invitation_mails_of_place', most: Math.ceil(most * SHARE_OF_PLACE), seconds: DAY };
    // What one place sends in vain does not count for the others.
    if (!(await this.limits.tryConsumeInTransaction(ofPlace, `${email} ${place}`))) return false;
    return this.limits.tryConsumeInTransaction({ name: 'invitation_mails', most, seconds: DAY }, email);
  }

  /**
   * Queues the mail, and sends the message to an invited user. For muted invitations, the mail is dropped later and no
   * message is sent, so that the inviter sees no difference.
   */
  async send(inviter: Actor, invitation: Invitation, { email, lang }: Invitee, fallbackLang: string): Promise<void> {
    const isNotified = !invitation.isMuted;
    const data = { invitation_id: invitation.id, is_told: isNotified };
    await this.outbox.send({
      kind: MAIL_OF[invitation.kind],
      to: email,
      lang: lang ?? fallbackLang,
      data,
      reference: invitation.id,
      sender: inviter.resourceId,
    });
    if (invitation.userId !== null && isNotified) await this.sendMessage(inviter, invitation);
  }

  private async sendMessage(inviter: Actor, invitation: Invitation): Promise<void> {
    const { id, kind, organizationId, endeavourId, role, endeavourRole } = invitation;
    const row = await this.letters.recipientAndPlace(invitation);
    if (row === undefined) return;
    await this.messages.send(null, {
      recipients: [row.recipient],
      subject: `Invitation to ${mailName(row.place)}`,
      content: contentOf(kind, mailName(inviter.name), mailName(row.place)),
      metadata: {
        invitation_id: id,
        kind,
        organization_id: organizationId,
        role,
        endeavour_id: endeavourId,
        endeavour_role: endeavourRole,
      },
    });
  }

  /** Creates the token; undefined for an invitation that is no longer valid or must not be sent. */
  private async composeMail(data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    if (data.is_told === false) return undefined;
    const token = mail.token();
    const row = await this.letters.storeToken(String(data.invitation_id), this.tokens.hashOf(token));
    return row && { ...row, token };
  }
}

const contentOf = (kind: InvitationKind, inviter: string, place: string): string =>
  kind === 'link'
    ? `${inviter} invites you to link ${place} to an organization where you are an admin. You can accept or refuse the invitation.`
    : `${inviter} invites you to ${place}. You can accept or refuse the invitation.`;
