import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Refusal } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
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

export const invalidPassword = (): Refusal => new Refusal('invalid_password', 'The current password is wrong.');

/** Asks signed-in people for their password again, before what a stolen token must not be enough for. */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly database: Database,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
  ) {}

  /** 400 `invalid_password` where it is wrong; guesses are held up like those of a login. */
  async prove(me: Caller, password: string): Promise<Proven> {
    await this.limits.takePasswordTry(me.userId);
    const row = await this.database.one<Owner & { passwordHash: string | null }>(
      'SELECT id, name, email, lang, password_hash AS "passwordHash" FROM users WHERE id = $1',
      [me.userId],
    );
    const isRight = await this.passwords.matches(password, row?.passwordHash);
    if (row === undefined || row.passwordHash === null || !isRight) throw invalidPassword();
    await this.limits.forgetPasswordTries(me.userId);
    return { ...row, passwordHash: row.passwordHash };
  }
}
