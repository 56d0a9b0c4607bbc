import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Limits } from '../../platform/limits/limits.js';
import { MailContents, type MailTry, type MailValues } from '../../platform/mail/mail-contents.js';
import { mailName } from '../../platform/mail/mail-name.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Invitation } from './invitation.entity.js';
import { InvitationTokens } from './invitation-tokens.js';
import type { Invitee } from './invitations.repository.js';

const DAY = 24 * 3600;

/** Notifies invited people: by mail with the token, and users who were named also in their inbox. */
@Injectable()
export class InvitationLetters implements OnModuleInit {
  constructor(
    private readonly contents: MailContents,
    private readonly database: Database,
    private readonly limits: Limits,
    private readonly messages: MessagesService,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly tokens: InvitationTokens,
  ) {}

  onModuleInit(): void {
    this.contents.provide('invitation', (data, mail) => this.mailFor(data, mail));
  }

  /**
   * Above the limit of invitations per address, and for muted invitations, no notification is sent: the mail is
   * dropped, so that the inviter sees no difference.
   */
  async send(inviter: Actor, invitation: Invitation, { email, lang }: Invitee, fallbackLang: string): Promise<void> {
    const limit = { name: 'invitation_mails', most: this.settings.LIMIT_INVITATION_MAILS_PER_DAY, seconds: DAY };
    const hasLeft = await this.limits.hasLeftInTransaction(limit, email);
    const isTold = hasLeft && !invitation.isMuted;
    const data = { invitation_id: invitation.id, is_told: isTold };
    await this.outbox.send({
      kind: 'invitation',
      to: email,
      lang: lang ?? fallbackLang,
      data,
      reference: invitation.id,
    });
    if (invitation.userId !== null && isTold) await this.tell(inviter, invitation);
  }

  private async tell(inviter: Actor, invitation: Invitation): Promise<void> {
    const { id, userId, organizationId, endeavourId, role, endeavourRole } = invitation;
    const row = await this.database.one<{ recipient: string; place: string }>(
      `SELECT u.resource_id AS recipient, ${placeName('$2::text', '$3::text')} AS place FROM users u WHERE u.id = $1`,
      [userId, organizationId, endeavourId],
    );
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

  /** Creates the token; undefined for an invitation that has expired or is muted. */
  private async mailFor(data: Record<string, unknown>, mail: MailTry): Promise<MailValues | undefined> {
    if (data.is_told === false) return undefined;
    const token = mail.token();
    const row = await this.database.one<{ inviter: string; place: string; expires: string }>(
      `UPDATE invitations i SET token_hash = $2 FROM users u
       WHERE i.id = $1 AND u.id = i.invited_by AND i.deleted_at IS NULL AND i.refused_at IS NULL
         AND i.expires_at > clock_timestamp()
         AND NOT EXISTS (SELECT 1 FROM users invited WHERE invited.id = i.user_id AND invited.status <> 'active')
       RETURNING u.name AS inviter, to_char(i.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires,
         ${placeName('i.organization_id', 'i.endeavour_id')} AS place`,
      [data.invitation_id, this.tokens.hashOf(token)],
    );
    return row && { ...row, token };
  }
}

/** SQL for what an invitation leads to: the organization, else the endeavour, else the service. */
const placeName = (organization: string, endeavour: string): string =>
  `coalesce((SELECT o.name FROM organizations o WHERE o.id = ${organization}),
    (SELECT e.name FROM endeavours e WHERE e.id = ${endeavour}), 'Worksmith')`;
