import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import { mailName } from '../../platform/mail/mail-name.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Invitation } from './invitation.entity.js';
import { InvitationLettersRepository } from './invitation-letters.repository.js';
import { InvitationTokens } from './invitation-tokens.js';
import type { Invitee } from './invitations.repository.js';

const DAY = 24 * 3600;

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
    this.contents.provide('invitation', (data, mail) => this.composeMail(data, mail));
  }

  /**
   * Queues the mail, and sends the message to an invited user. Above the limit of invitations per e-mail address, and for
   * muted invitations, the mail is dropped later and no message is sent, so that the inviter sees no difference.
   */
  async send(inviter: Actor, invitation: Invitation, { email, lang }: Invitee, fallbackLang: string): Promise<void> {
    const limit = { name: 'invitation_mails', most: this.settings.LIMIT_INVITATION_MAILS_PER_DAY, seconds: DAY };
    const hasLeft = await this.limits.tryConsumeInTransaction(limit, email);
    const isNotified = hasLeft && !invitation.isMuted;
    const data = { invitation_id: invitation.id, is_told: isNotified };
    await this.outbox.send({
      kind: 'invitation',
      to: email,
      lang: lang ?? fallbackLang,
      data,
      reference: invitation.id,
    });
    if (invitation.userId !== null && isNotified) await this.sendMessage(inviter, invitation);
  }

  private async sendMessage(inviter: Actor, invitation: Invitation): Promise<void> {
    const { id, organizationId, endeavourId, role, endeavourRole } = invitation;
    const row = await this.letters.recipientAndPlace(invitation);
    if (row === undefined) return;
    await this.messages.send(null, {
      recipients: [row.recipient],
      subject: `Invitation to ${mailName(row.place)}`,
      content: `${mailName(inviter.name)} invites you to ${mailName(row.place)}. You can accept or refuse the invitation.`,
      metadata: {
        invitation_id: id,
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
