import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { FREE_ATTEMPTS } from '../../platform/limits/counters.js';
import { Limits } from '../../platform/limits/limits.js';
import type { Limit, WindowLimit } from '../../platform/limits/rate-limited.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';

const MINUTE = 60;
const HOUR = 3600;

/** Attempts at the password of one account from one address; each one after the first few waits longer. */
const ATTEMPTS: Limit = {
  name: 'password',
  counts: 'wrong passwords of one account from one address without a growing delay',
  most: FREE_ATTEMPTS,
  seconds: null,
  setting: null,
};
const FAILURES = 'password_failures';

const PROOFS: WindowLimit = {
  name: 'proofs',
  counts: 'wrong proofs of one account',
  most: 10,
  seconds: HOUR,
  setting: null,
};

const CODE_ATTEMPTS: Limit = {
  name: 'second_factor',
  counts: 'wrong codes of one account from one address without a growing delay',
  most: FREE_ATTEMPTS,
  seconds: null,
  setting: null,
};
const CODE_FAILURES: WindowLimit = {
  name: 'second_factor_failures',
  counts: 'wrong codes of one account from unknown addresses',
  most: 20,
  seconds: HOUR,
  setting: null,
};

const REGISTRATIONS = { seconds: HOUR, setting: 'LIMIT_REGISTER_PER_HOUR' } as const;

/** Limits the operations that need no session (spec 03). */
@Injectable()
export class AuthLimits {
  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  /** Called before a password is compared: 429 if too many sign-ins from the client address have failed. */
  assertMayLogin(): Promise<void> {
    return this.limits.assertLeftForAddress(this.failedLogins);
  }

  /**
   * Called after a password was compared. Only failures count against the limit of the client address, because many
   * people can share one; but once it is reached, right passwords are also rejected.
   */
  settleLogin({ isFailure }: { isFailure: boolean }): Promise<void> {
    return this.limits.settleForAddress(this.failedLogins, { isFailure });
  }

  /** Counts a successful sign-in of the account, in the current transaction. */
  countLogin(account: string): Promise<void> {
    const limit = { ...this.failedLogins, name: 'account_logins', counts: 'sign-ins of one account' };
    return this.limits.consumeInTransaction(limit, account);
  }

  register(): Promise<void> {
    const { LIMIT_REGISTER_PER_HOUR: most } = this.settings;
    return this.limits.consumeForAddress({
      ...REGISTRATIONS,
      name: 'register',
      counts: 'registrations from one address',
      most,
    });
  }

  /** Counts a registration by its invitation, because the people of an office share an address. */
  async registerInvited({ hash, usesLeft }: { hash: string; usesLeft: number }): Promise<void> {
    const most = this.settings.LIMIT_REGISTER_PER_HOUR * usesLeft;
    const counts = 'registrations with one invitation';
    await this.limits.consume({ ...REGISTRATIONS, name: 'invited', counts, most }, hash);
  }

  /** Counts a request for any code; 429 if the client address has made too many. */
  requestCode(): Promise<void> {
    return this.limits.consumeForAddress({
      name: 'codes',
      counts: 'requests for codes from one address',
      most: this.settings.LIMIT_CODES_PER_HOUR,
      seconds: HOUR,
      setting: 'LIMIT_CODES_PER_HOUR',
    });
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
    const failures: WindowLimit = {
      name: FAILURES,
      counts: 'wrong passwords of one account from unknown addresses',
      most: this.settings.LIMIT_PASSWORD_FAILURES_PER_HOUR,
      seconds: HOUR,
      setting: 'LIMIT_PASSWORD_FAILURES_PER_HOUR',
    };
    await this.limits.countFailure(failures, account, isKnown);
  }

  /** Called before a proof is checked: 429 if the account has sent too many wrong ones. */
  countProof(userId: string): Promise<void> {
    return this.limits.countFailure(PROOFS, userId, false);
  }

  /** Called after a right proof. */
  takeBackProof(userId: string): Promise<void> {
    return this.limits.takeBack(PROOFS, userId);
  }

  /**
   * Counts an attempt at the second factor of an account, like one at its password: a growing delay for each address, and
   * after too many failures only addresses from which the account has signed in before.
   */
  async countCodeAttempt(userId: string, isKnown: boolean): Promise<void> {
    await this.limits.takeAttempt(CODE_ATTEMPTS, userId);
    await this.limits.countFailure(CODE_FAILURES, userId, isKnown);
  }

  resetCodeAttempts(userId: string): Promise<void> {
    return this.limits.resetAttempts(CODE_ATTEMPTS.name, CODE_FAILURES.name, userId);
  }

  resetPasswordAttempts(account: string): Promise<void> {
    return this.limits.resetAttempts(ATTEMPTS.name, FAILURES, account);
  }

  private get failedLogins(): WindowLimit {
    return {
      name: 'login',
      counts: 'failed sign-ins from one address',
      most: this.settings.LIMIT_LOGIN_PER_MINUTE,
      seconds: MINUTE,
      setting: 'LIMIT_LOGIN_PER_MINUTE',
    };
  }
}
