import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';

const MINUTE = 60;
const HOUR = 3600;
const ATTEMPTS = 'password';
const FAILURES = 'password_failures';

/** Limits the operations that need no session (spec 03). */
@Injectable()
export class AuthLimits {
  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  login(): Promise<void> {
    return this.limits.consumeForAddress({
      name: 'login',
      most: this.settings.LIMIT_LOGIN_PER_MINUTE,
      seconds: MINUTE,
    });
  }

  register(): Promise<void> {
    return this.limits.consumeForAddress({
      name: 'register',
      most: this.settings.LIMIT_REGISTER_PER_HOUR,
      seconds: HOUR,
    });
  }

  /** Counts a request for any code; 429 if the client address has made too many. */
  requestCode(): Promise<void> {
    return this.limits.consumeForAddress({ name: 'codes', most: this.settings.LIMIT_CODES_PER_HOUR, seconds: HOUR });
  }

  /**
   * Counts a mail of that kind to the e-mail address, and returns whether it may be sent; if not, the response is the same
   * and nothing is sent. `isKnown` means that the account has signed in from the client's network: such requests have
   * separate limits, which requests from other networks cannot exhaust. Both cases run the same statements.
   */
  async mayMail(kind: MailKind, email: string, isKnown = false): Promise<boolean> {
    const { LIMIT_MAILS_PER_HOUR, LIMIT_MAILS_OF_KIND_PER_HOUR } = this.settings;
    const prefix = isKnown ? 'known_' : '';
    const ofKind = this.limits.isExempt ? LIMIT_MAILS_PER_HOUR : LIMIT_MAILS_OF_KIND_PER_HOUR;
    const perNetwork = { name: `${prefix}mails_of_kind`, most: ofKind, seconds: HOUR };
    const total = { name: `${prefix}mails`, most: LIMIT_MAILS_PER_HOUR, seconds: HOUR };
    if (!(await this.limits.tryConsume(perNetwork, this.limits.from(`${kind} ${email}`)))) return false;
    return this.limits.tryConsume(total, email);
  }

  /**
   * Counts an attempt at the password of an account. After five attempts from a client address, each further one is
   * delayed longer. After too many failures for the account, attempts are accepted only from networks from which it has
   * signed in (`isKnown`).
   */
  async countPasswordAttempt(account: string, isKnown: boolean): Promise<void> {
    await this.limits.takeAttempt(ATTEMPTS, account);
    const failures = { name: FAILURES, most: this.settings.LIMIT_PASSWORD_FAILURES_PER_HOUR, seconds: HOUR };
    await this.limits.countFailure(failures, account, isKnown);
  }

  resetPasswordAttempts(account: string): Promise<void> {
    return this.limits.resetAttempts(ATTEMPTS, FAILURES, account);
  }
}
