import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';

const MINUTE = 60;
const HOUR = 3600;
const TRIES = 'password';
const FAILURES = 'password_failures';

/** Limits the operations that need no session (spec 03). */
@Injectable()
export class AuthLimits {
  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  login(): Promise<void> {
    return this.limits.spendAddress({ name: 'login', most: this.settings.LIMIT_LOGIN_PER_MINUTE, seconds: MINUTE });
  }

  register(): Promise<void> {
    return this.limits.spendAddress({ name: 'register', most: this.settings.LIMIT_REGISTER_PER_HOUR, seconds: HOUR });
  }

  /** Counts a request for any code; 429 if the client address has made too many. */
  requestCode(): Promise<void> {
    return this.limits.spendAddress({ name: 'codes', most: this.settings.LIMIT_CODES_PER_HOUR, seconds: HOUR });
  }

  /**
   * Whether a mail of that kind may be sent to the e-mail address; if not, the answer is the same and nothing is sent.
   * `isKnown` says that the account signed in from the client's address before: such requests have separate budgets,
   * which strangers cannot use up. Both cases run the same statements.
   */
  async mayMail(kind: MailKind, email: string, isKnown = false): Promise<boolean> {
    const { LIMIT_MAILS_PER_HOUR, LIMIT_MAILS_OF_KIND_PER_HOUR } = this.settings;
    const whose = isKnown ? 'known_' : '';
    const ofKind = this.limits.isExempt ? LIMIT_MAILS_PER_HOUR : LIMIT_MAILS_OF_KIND_PER_HOUR;
    const fromHere = { name: `${whose}mails_of_kind`, most: ofKind, seconds: HOUR };
    const inAll = { name: `${whose}mails`, most: LIMIT_MAILS_PER_HOUR, seconds: HOUR };
    if (!(await this.limits.hasLeft(fromHere, this.limits.from(`${kind} ${email}`)))) return false;
    return this.limits.hasLeft(inAll, email);
  }

  /**
   * Counts an attempt at the password of an account. Per client address the first five are free, then each must wait
   * longer. After too many failures of the account, only addresses from which it signed in before are accepted
   * (`isKnown`).
   */
  async takePasswordTry(account: string, isKnown: boolean): Promise<void> {
    await this.limits.takeAttempt(TRIES, account);
    const failures = { name: FAILURES, most: this.settings.LIMIT_PASSWORD_FAILURES_PER_HOUR, seconds: HOUR };
    await this.limits.countFailure(failures, account, isKnown);
  }

  forgetPasswordTries(account: string): Promise<void> {
    return this.limits.resetAttempts(TRIES, FAILURES, account);
  }
}
