import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import { CODE_MINUTES, Codes, requestIn } from '../users/codes.js';
import { EmailUniqueness } from '../users/email-uniqueness.js';
import { UsersRepository } from '../users/users.repository.js';
import { EmailChangesRepository } from './email-changes.repository.js';

/** Composes the mails about an account. A code is generated immediately before its mail is sent. */
@Injectable()
export class AccountMails implements OnModuleInit {
  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly codes: Codes,
    private readonly contents: MailContents,
    private readonly emailUniqueness: EmailUniqueness,
    private readonly users: UsersRepository,
  ) {}

  onModuleInit(): void {
    this.contents.provide('password_reset', (data, mail) => this.passwordReset(data, mail));
    this.contents.provide('email_change', (data, mail) => this.emailChange(data, mail));
    this.contents.provide('password_changed', async ({ name }) => ({ name: String(name) }));
    for (const kind of ['email_changed', 'email_assigned'] as const) {
      this.contents.provide(kind, async ({ name, new_email }) => ({
        name: String(name),
        new_email: String(new_email),
      }));
    }
  }

  /** Drops a mail to an unknown address: here, unlike in the request, the duration cannot be observed. */
  private async passwordReset(data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    const email = String(data.email);
    const user = await this.users.addresseeByEmail(email);
    if (user === undefined) return undefined;
    const code = mail.code();
    await this.codes.store(mail.id, code, { purpose: 'reset', scope: email, subject: user.id }, requestIn(data));
    return { name: user.name, code, minutes: CODE_MINUTES.reset };
  }

  private async emailChange(data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    const [userId, email] = [String(data.user_id), String(data.new_email)];
    const user = await this.users.addresseeById(userId);
    if (user === undefined || (await this.emailUniqueness.isTaken(email, userId))) return undefined;
    if (!(await this.changes.extend(userId, email, CODE_MINUTES.email_change))) return undefined;
    const code = mail.code();
    await this.codes.endAll('email_change', userId, mail.id);
    await this.codes.store(mail.id, code, { purpose: 'email_change', scope: userId, subject: email }, requestIn(data));
    return { name: user.name, code, minutes: CODE_MINUTES.email_change };
  }
}
