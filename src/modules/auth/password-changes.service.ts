import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Sessions } from '../../access/sessions.js';
import { Refusal } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { Codes, type Match } from '../users/codes.js';
import { assertGoodPassword } from '../users/password.rules.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';
import type { ChangePasswordDto, ResetPasswordDto } from './auth.dto.js';
import { CurrentPassword, invalidPassword, type Owner } from './current-password.js';

const resetFailed = (): Refusal => new Refusal('reset_failed', 'This code is wrong, used or no longer valid.');

/** New passwords: by a mailed code for whoever forgot theirs, or for the old one. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly codes: Codes,
    private readonly current: CurrentPassword,
    private readonly database: Database,
    private readonly limits: AuthLimits,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
  ) {}

  /** The same statements for known and unknown addresses; a mail to nobody lapses before it is sent. */
  async forgot(email: string): Promise<{ status: 'reset_requested' }> {
    if (await this.limits.mayMail(email)) {
      const user = await this.database.one<{ lang: string }>('SELECT lang FROM users WHERE email = $1', [email]);
      await this.outbox.send({ kind: 'password_reset', to: email, lang: user?.lang ?? 'en', data: { email } });
    }
    return { status: 'reset_requested' };
  }

  async reset({ email, code, new_password: password }: ResetPasswordDto): Promise<{ status: 'password_reset' }> {
    assertGoodPassword('new_password', password, { email });
    const match = await this.codes.guess('reset', email, code);
    const user = match && (await this.ownerOf(match, email));
    if (match === undefined || user === undefined) throw resetFailed();
    assertGoodPassword('new_password', password, user);
    const hash = await this.passwords.hash(password);
    await this.database.transaction(async () => {
      if (!(await this.codes.use(match))) throw resetFailed();
      await this.replace(user, hash, null);
    });
    return { status: 'password_reset' };
  }

  async change(me: Caller, dto: ChangePasswordDto): Promise<{ status: 'password_changed' }> {
    const user = await this.current.prove(me, dto.current_password);
    assertGoodPassword('new_password', dto.new_password, user);
    const hash = await this.passwords.hash(dto.new_password);
    await this.database.transaction(async () => {
      if (!(await this.replace(user, hash, me.sessionId, user.passwordHash))) throw invalidPassword();
    });
    return { status: 'password_changed' };
  }

  /** The code was sent to an address, and is good only while that is still the user's. */
  private ownerOf({ subject }: Match, email: string): Promise<Owner | undefined> {
    return this.database.one<Owner>('SELECT id, name, email, lang FROM users WHERE id = $1 AND email = $2', [
      subject,
      email,
    ]);
  }

  /**
   * False where the password that was proved is no longer the one: it was replaced while the new one was being hashed,
   * perhaps by its owner, to shut somebody out.
   */
  private async replace(
    { id, name, email, lang }: Owner,
    hash: string,
    staying: string | null,
    proved: string | null = null,
  ): Promise<boolean> {
    await this.codes.endAll('reset', email);
    const rows = await this.database.query(
      'UPDATE users SET password_hash = $2 WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3) RETURNING 1',
      [id, hash, proved],
    );
    if (rows.length === 0) return false;
    await this.sessions.endAll(id, staying);
    await this.outbox.send({ kind: 'password_changed', to: email, lang, data: { user_id: id, name } });
    return true;
  }
}
