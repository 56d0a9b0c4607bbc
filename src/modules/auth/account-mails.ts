import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { AccountsRepository } from '../users/accounts.repository.js';
import { CODE_MINUTES, Codes, requestIn } from '../users/codes.js';
import { EmailUniqueness } from '../users/email-uniqueness.js';
import { UsersRepository } from '../users/users.repository.js';
import { EmailChangesRepository } from './email-changes/email-changes.repository.js';

/** The providers with which a user signs in, by name, and whether these are the only way in. */
type ProvidersOf = (userId: string) => Promise<{ names: readonly string[]; isBound: boolean }>;

/** Composes the mails about an account. A code is generated immediately before its mail is sent. */
@Injectable()
export class AccountMails implements OnModuleInit {
  private providersOf: ProvidersOf = () => Promise.resolve({ names: [], isBound: false });

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly changes: EmailChangesRepository,
    private readonly codes: Codes,
    private readonly contents: MailContents,
    private readonly emailUniqueness: EmailUniqueness,
    private readonly outbox: Outbox,
    private readonly users: UsersRepository,
  ) {}

  /** Sets who knows the providers with which a user signs in. */
  provideProviders(providersOf: ProvidersOf): void {
    this.providersOf = providersOf;
  }

  onModuleInit(): void {
    this.contents.provide('password_reset', (data, mail) => this.passwordReset(data, mail));
    this.contents.provide('email_change', (data, mail) => this.emailChange(data, mail));
    this.contents.provide('password_changed', async ({ name }) => ({ name: String(name) }));
    this.contents.provide('provider_sign_in', async ({ name, provider }) => ({
      name: String(name),
      provider: String(provider),
    }));
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
    const { names, isBound } = await this.providersOf(user.id);
    if (names.length > 0) await this.tellProviders(user.id, names, mail.id);
    // A password would not let the user in.
    if (isBound) return undefined;
    const code = mail.code();
    await this.codes.store(mail.id, code, { purpose: 'reset', scope: email, subject: user.id }, requestIn(data));
    return { name: user.name, code, minutes: CODE_MINUTES.reset };
  }

  /** Tells who has forgotten the password that they sign in with a provider, in a mail beside that with the code. */
  private async tellProviders(userId: string, providers: readonly string[], mailId: string): Promise<void> {
    const reference = `sign-in beside ${mailId}`;
    if ((await this.outbox.statusOf(reference)) !== undefined) return;
    const owner = await this.accounts.owner(userId);
    if (owner === undefined) return;
    const { name, email, lang } = owner;
    const data = { user_id: userId, name, provider: providers.join(', ') };
    await this.outbox.send({ kind: 'provider_sign_in', to: email, lang, data, reference });
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
