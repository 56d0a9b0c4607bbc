import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { ApiError } from '../../common/errors.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { AccountsRepository, type Owner } from '../users/accounts.repository.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';

/** A user who has confirmed the current password, and the hash of that password. */
interface ConfirmedOwner extends Owner {
  passwordHash: string;
}

export const invalidPassword = (): ApiError => new ApiError('invalid_password', 'The current password is wrong.');

/** Confirms the current password of a signed-in user, for operations that a stolen token must not allow. */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
  ) {}

  /** 400 `invalid_password` if the password is wrong; attempts are limited like sign-ins. */
  async confirm(me: Caller, password: string): Promise<ConfirmedOwner> {
    const row = await this.accounts.ownerWithPassword(me.userId, this.context.clientNetwork);
    await this.limits.countPasswordAttempt(me.userId, row?.isKnown ?? false);
    const isRight = await this.passwords.matches(password, row?.passwordHash);
    if (row === undefined || row.passwordHash === null || !isRight) throw invalidPassword();
    await this.limits.resetPasswordAttempts(me.userId);
    const { isKnown: _, ...owner } = row;
    return { ...owner, passwordHash: row.passwordHash };
  }
}
