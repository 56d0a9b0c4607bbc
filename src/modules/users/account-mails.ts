import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { MailContents, type MailTry, type MailValues } from '../../platform/mail/mail-contents.js';
import { EmailUniqueness } from './email-uniqueness.js';
import { CODE_MINUTES, Codes, requestIn } from './codes.js';

interface Addressee {
  id: string;
  name: string;
}

/** Composes the mails about an account. Codes are generated right before sending. */
@Injectable()
export class AccountMails implements OnModuleInit {
  constructor(
    private readonly emailUniqueness: EmailUniqueness,
    private readonly codes: Codes,
    private readonly contents: MailContents,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.contents.provide('password_reset', (data, mail) => this.passwordReset(data, mail));
    this.contents.provide('email_change', (data, mail) => this.emailChange(data, mail));
    this.contents.provide('password_changed', async ({ name }) => ({ name: String(name) }));
    this.contents.provide('email_changed', async ({ name, new_email }) => ({
      name: String(name),
      new_email: String(new_email),
    }));
  }

  /** Requested by address; a mail to an unknown address is dropped here, where the duration cannot be observed. */
  private async passwordReset(data: Record<string, unknown>, mail: MailTry): Promise<MailValues | undefined> {
    const email = String(data.email);
    const user = await this.database.one<Addressee>('SELECT id, name FROM users WHERE email = $1', [email]);
    if (user === undefined) return undefined;
    const code = mail.code();
    await this.codes.keep(mail.id, code, { purpose: 'reset', scope: email, subject: user.id }, requestIn(data));
    return { name: user.name, code, minutes: CODE_MINUTES.reset };
  }

  private async emailChange(data: Record<string, unknown>, mail: MailTry): Promise<MailValues | undefined> {
    const [userId, email] = [String(data.user_id), String(data.new_email)];
    const user = await this.database.one<Addressee>('SELECT id, name FROM users WHERE id = $1', [userId]);
    if (user === undefined || (await this.emailUniqueness.isTaken(email, userId))) return undefined;
    const pending = await this.database.query(
      `UPDATE email_changes SET expires_at = clock_timestamp() + make_interval(mins => $3)
       WHERE user_id = $1 AND new_email = $2 RETURNING 1`,
      [userId, email, CODE_MINUTES.email_change],
    );
    if (pending.length === 0) return undefined;
    const code = mail.code();
    await this.codes.endAll('email_change', userId, mail.id);
    await this.codes.keep(mail.id, code, { purpose: 'email_change', scope: userId, subject: email }, requestIn(data));
    return { name: user.name, code, minutes: CODE_MINUTES.email_change };
  }
}
