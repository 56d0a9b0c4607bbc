import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Refusal } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';

/** Somebody who has proved once more who they are. */
export interface Proven {
  id: string;
  name: string;
  email: string;
  lang: string;
}

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
    const row = await this.database.one<Proven & { passwordHash: string | null }>(
      'SELECT id, name, email, lang, password_hash AS "passwordHash" FROM users WHERE id = $1',
      [me.userId],
    );
    if (row === undefined || !(await this.passwords.matches(password, row.passwordHash))) {
      throw new Refusal('invalid_password', 'The current password is wrong.');
    }
    await this.limits.forgetPasswordTries(me.userId);
    const { passwordHash: _secret, ...proven } = row;
    return proven;
  }
}
