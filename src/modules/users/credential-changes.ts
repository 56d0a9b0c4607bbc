import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sessions } from '../../access/authentication/sessions.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { MailContents } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { AccountsRepository } from './accounts.repository.js';

/** The mail about each change. */
const MAILS = {
  'second_factor.enabled': 'second_factor_enabled',
  'second_factor.disabled': 'second_factor_disabled',
  'recovery_codes.replaced': 'recovery_codes_replaced',
  'recovery_code.used': 'recovery_code_used',
  'passkey.copied': 'passkey_copied',
} as const;

/** Mails about changes that the audit records by their events. */
const FURTHER_MAILS = ['passkey_added', 'passkey_removed', 'identity_linked', 'identity_removed'] as const;

type Change = keyof typeof MAILS;
type ChangeMail = (typeof MAILS)[Change] | (typeof FURTHER_MAILS)[number];

/** Records changes of credentials: in the audit log, and in a mail to the user. */
@Injectable()
export class CredentialChanges implements OnModuleInit {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditTrail,
    private readonly contents: MailContents,
    private readonly credentials: CredentialsRepository,
    private readonly outbox: Outbox,
    private readonly sessions: Sessions,
  ) {}

  onModuleInit(): void {
    for (const kind of [...Object.values(MAILS), ...FURTHER_MAILS]) {
      this.contents.provide(kind, async ({ name, provider }) => ({
        name: String(name),
        ...(provider !== undefined && { provider: provider as string }),
      }));
    }
  }

  /** Records a change in its transaction; by default, the user has made it. */
  async record(userId: string, change: Change, isByUser = true): Promise<void> {
    const isOwnAct = isByUser || undefined;
    await this.audit.record({ action: change, userId, isOwnAct, entityType: 'user', entityId: userId });
    await this.tell(userId, MAILS[change]);
  }

  /** Sends a mail about a change to the user; `provider` is the name of the one that it concerns. */
  async tell(userId: string, kind: ChangeMail, provider?: string): Promise<void> {
    const user = await this.accounts.owner(userId);
    if (user === undefined) return;
    const { id, name, email, lang } = user;
    await this.outbox.send({ kind, to: email, lang, data: { user_id: id, name, provider } });
  }

  /** Records that a credential was removed or replaced, which ends all other sessions of the user. */
  async recordLoss(userId: string, change: Change, keptSessionId: string | null): Promise<void> {
    await this.sessions.endAll(userId, keptSessionId);
    await this.record(userId, change);
  }

  /** Turns the second factor off from the command line, and ends all sessions; false if there was none. */
  async reset(userId: string): Promise<boolean> {
    if (!(await this.credentials.deleteSecondFactor(userId))) return false;
    await this.sessions.endAll(userId);
    await this.record(userId, 'second_factor.disabled', false);
    return true;
  }
}
