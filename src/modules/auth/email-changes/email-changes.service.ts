import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { EmailUniqueness } from '../../users/email-uniqueness.js';
import { CODE_MINUTES, Codes } from '../../users/codes.js';
import { Profiles, type Profile } from '../../users/profiles.js';
import { AuthLimits } from '../auth-limits.js';
import type { ChangeEmailDto } from '../auth.dto.js';
import { CurrentPassword } from '../current-password.js';
import { EmailChangesRepository, type PendingChange } from './email-changes.repository.js';
import { pendingCode, type Pending } from '../pending-code.js';

const verificationFailed = (): ApiError =>
  new ApiError('verification_failed', 'This code is wrong, already used or expired.');

/** Changes a user's own e-mail address: a code confirms the new address, and the old address is notified. */
@Injectable()
export class EmailChangesService {
  constructor(
    private readonly emailUniqueness: EmailUniqueness,
    private readonly changes: EmailChangesRepository,
    private readonly codes: Codes,
    private readonly current: CurrentPassword,
    private readonly database: Database,
    private readonly limits: AuthLimits,
    private readonly outbox: Outbox,
    private readonly profiles: Profiles,
  ) {}

  async request(me: Caller, { new_email: email, current_password }: ChangeEmailDto): Promise<Pending> {
    const user = await this.current.confirm(me, current_password);
    await this.limits.requestCode();
    const mayMail = await this.limits.mayMail('email_change', email);
    await this.emailUniqueness.assertFree(email, me.userId);
    await this.database.transaction(async () => {
      await this.changes.upsert(me.userId, email, CODE_MINUTES.email_change);
      const data = { user_id: me.userId, new_email: email, ...this.codes.request() };
      if (mayMail) await this.outbox.send({ kind: 'email_change', to: email, lang: user.lang, data });
    });
    return pendingCode(email, CODE_MINUTES.email_change);
  }

  pending(me: Caller): Promise<PendingChange> {
    return this.changes.pending(me.userId);
  }

  /** Deletes the pending change and invalidates its code; a mail that has not been sent is dropped. */
  async cancel(me: Caller): Promise<{ status: 'canceled' }> {
    await this.changes.end(me.userId);
    await this.codes.endAll('email_change', me.userId);
    return { status: 'canceled' };
  }

  async apply(me: Caller, code: string): Promise<Profile> {
    const match = await this.codes.checkCode('email_change', me.userId, code);
    if (match === undefined) throw verificationFailed();
    return this.database.transaction(async () => {
      // Every transaction locks the change before its codes.
      await this.changes.end(me.userId);
      if (!(await this.codes.use(match))) throw verificationFailed();
      await this.emailUniqueness.assertFree(match.subject, me.userId);
      return this.profiles.changeEmail(me, match.subject);
    });
  }
}
