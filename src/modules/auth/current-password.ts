import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { isKnownAddress } from '../../access/known-addresses.js';
import { ApiError } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';

/** The owner of an account. */
export interface Owner {
  id: string;
  name: string;
  email: string;
  lang: string;
}

/** An owner who has proved it once more, by the password that had this hash. */
export interface Proven extends Owner {
  passwordHash: string;
}

export const invalidPassword = (): ApiError => new ApiError('invalid_password', 'The current password is wrong.');

/** Requires the current password of a signed-in user for operations that a stolen token must not allow. */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
  ) {}

  /** 400 `invalid_password` where it is wrong; guesses are held up like those of a login. */
  async prove(me: Caller, password: string): Promise<Proven> {
    const row = await this.database.one<Owner & { passwordHash: string | null; isKnown: boolean }>(
      `SELECT id, name, email, lang, password_hash AS "passwordHash",
         ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE id = $1`,
      [me.userId, this.context.clientNetwork],
    );
    await this.limits.takePasswordTry(me.userId, row?.isKnown ?? false);
    const isRight = await this.passwords.matches(password, row?.passwordHash);
    if (row === undefined || row.passwordHash === null || !isRight) throw invalidPassword();
    await this.limits.forgetPasswordTries(me.userId);
    const { isKnown: _, ...owner } = row;
    return { ...owner, passwordHash: row.passwordHash };
  }
}
