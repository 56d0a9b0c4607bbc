import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';

const MINUTE = 60;
const HOUR = 3600;

/** How often the doors that anybody may knock at can be used (spec 03). */
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

  /** Per client address: 429. Per e-mail address: false, so that the answer is the same and nothing is sent. */
  async mayMail(email: string): Promise<boolean> {
    await this.limits.spendAddress({ name: 'codes', most: this.settings.LIMIT_CODES_PER_HOUR, seconds: HOUR });
    return this.limits.hasLeft({ name: 'mails', most: this.settings.LIMIT_MAILS_PER_HOUR, seconds: HOUR }, email);
  }

  /** A guess at somebody's password: the first five are free, then each must wait longer. */
  takePasswordTry(account: string): Promise<void> {
    return this.limits.takeTry('password', account);
  }

  forgetPasswordTries(account: string): Promise<void> {
    return this.limits.forgetTries('password', account);
  }
}
