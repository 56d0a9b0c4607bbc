import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { invalidField, ApiError } from '../../common/errors.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountsRepository, type Owner } from '../users/accounts.repository.js';
import { Codes } from '../users/codes.js';
import { assertGoodPassword } from '../users/password.rules.js';
import { Passwords } from '../users/passwords.js';
import { AuthLimits } from './auth-limits.js';
import type { ChangePasswordDto, ResetPasswordDto } from './auth.dto.js';
import { CurrentPassword, invalidPassword } from './current-password.js';

const resetFailed = (): ApiError => new ApiError('reset_failed', 'This code is wrong, already used or expired.');

/** Changes passwords, with a code sent by mail or with the current password. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditTrail,
    private readonly codes: Codes,
    private readonly current: CurrentPassword,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Runs the same statements for known and unknown e-mail addresses; a mail to an unknown address is dropped before it is
   * sent.
   */
  async forgot(email: string): Promise<{ status: 'reset_requested' }> {
    await this.limits.requestCode();
    const user = await this.accounts.langByEmail(email, this.context.clientNetwork);
    if (await this.limits.mayMail('password_reset', email, user?.isKnown)) {
      const data = { email, ...this.codes.request(user?.isKnown) };
      await this.outbox.send({ kind: 'password_reset', to: email, lang: user?.lang ?? 'en', data });
    }
    return { status: 'reset_requested' };
  }

  async reset({ email, code, new_password: password }: ResetPasswordDto): Promise<{ status: 'password_reset' }> {
    assertGoodPassword('new_password', password, { email });
    const match = await this.codes.checkCode('reset', email, code);
    // The code is valid only while the user has the e-mail address that it was sent to.
    const user = match && (await this.accounts.ownerWithEmail(match.subject, email));
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
    const user = await this.current.confirm(me, dto.current_password);
    assertGoodPassword('new_password', dto.new_password, user);
    assertAnotherPassword(dto);
    const hash = await this.passwords.hash(dto.new_password);
    await this.database.transaction(async () => {
      if (!(await this.replace(user, hash, me.sessionId, user.passwordHash))) throw invalidPassword();
    });
    return { status: 'password_changed' };
  }

  /** Sets the password of an account from the command line; the user is notified by mail, and all sessions end. */
  async replaceByOperator(userId: string, password: string): Promise<void> {
    const hash = await this.passwords.hash(password);
    await this.database.transaction(async () => {
      const user = await this.accounts.owner(userId);
      if (user !== undefined) await this.replace(user, hash, null);
    });
  }

  /**
   * Sets the password, ends all access tokens and all sessions but `keptSessionId`, and notifies the user. Returns false if the confirmed
   * password is no longer current because it was changed while the new one was being hashed.
   */
  private async replace(
    { id, name, email, lang }: Owner,
    hash: string,
    keptSessionId: string | null,
    confirmedHash: string | null = null,
  ): Promise<boolean> {
    await this.codes.endAll('reset', email);
    if (!(await this.accounts.replacePassword(id, hash, confirmedHash))) return false;
    const action = keptSessionId === null ? 'password.reset' : 'password.changed';
    await this.audit.record({ action, userId: id, isOwnAct: true, entityType: 'user', entityId: id });
    await this.sessions.endAll(id, keptSessionId);
    // The new password may follow a theft of the account, so it also ends the access tokens that the account has created.
    await this.tokens.endAll(null, id);
    await this.outbox.send({ kind: 'password_changed', to: email, lang, data: { user_id: id, name } });
    return true;
  }
}

function assertAnotherPassword({ current_password, new_password }: ChangePasswordDto): void {
  if (current_password?.normalize('NFKC') !== new_password.normalize('NFKC')) return;
  throw invalidField('new_password', 'invalid_value', 'new_password must differ from your current password.');
}
