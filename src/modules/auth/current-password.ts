import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { StepUp } from '../../access/second-factor/step-up.js';
import { ApiError, invalidField } from '../../common/errors.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { AccountsRepository, type Owner } from '../users/accounts.repository.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';

/** A user who has confirmed the current password, and its hash; null for a user who has none. */
interface ConfirmedOwner extends Owner {
  passwordHash: string | null;
}

export const invalidPassword = (): ApiError => new ApiError('invalid_password', 'The current password is wrong.');

const passwordRequired = (): ApiError =>
  invalidField('current_password', 'required', 'current_password is required: your account has a password.');

/**
 * Confirms the current password of a signed-in user, for operations that a stolen token must not allow. A user without a
 * password needs a recent proof of another kind instead.
 */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
    private readonly stepUp: StepUp,
  ) {}

  /** 400 `invalid_password` if the password is wrong; attempts are limited like sign-ins. */
  async confirm(me: Caller, password: string | undefined): Promise<ConfirmedOwner> {
    const row = await this.accounts.ownerWithPassword(me.userId, this.context.clientNetwork);
    if (row !== undefined && row.passwordHash === null && password === undefined) {
      await this.stepUp.assertProved(me);
      return row;
    }
    if (password === undefined) throw passwordRequired();
    await this.limits.countPasswordAttempt(me.userId, row?.isKnown ?? false);
    const isRight = await this.passwords.matches(password, row?.passwordHash);
    if (row === undefined || row.passwordHash === null || !isRight) throw invalidPassword();
    await this.limits.resetPasswordAttempts(me.userId);
    const { isKnown: _, ...owner } = row;
    return { ...owner, passwordHash: row.passwordHash };
  }
}
