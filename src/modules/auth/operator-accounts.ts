import { Injectable } from '@nestjs/common';
import { Sessions } from '../../access/authentication/sessions.js';
import { normalizeEmail } from '../../common/network/email.js';
import { StartError } from '../../common/start-error.js';
import { Database } from '../../platform/database/database.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountsRepository, type OperatedAccount } from '../users/accounts.repository.js';
import { CredentialChanges } from '../users/credential-changes.js';
import { UsersService } from '../users/users.service.js';
import { FirstAdministrator } from './first-administrator.js';
import { PasswordChangesService } from './password-changes.service.js';
import { randomPassword } from './random-password.js';

/**
 * Manages accounts from the command line, without signing in. Each method returns the lines to print; an unknown
 * address throws a {@link StartError}.
 */
@Injectable()
export class OperatorAccounts {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly database: Database,
    private readonly administrators: FirstAdministrator,
    private readonly passwords: PasswordChangesService,
    private readonly secondFactors: CredentialChanges,
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  /** Lists the administrators, one per line: e-mail address, name, status and time of last use. */
  async list(): Promise<string[]> {
    const administrators = await this.accounts.administrators();
    if (administrators.length === 0)
      return ['There are no administrators yet. Create one with: npm run admin -- create <email>'];
    return administrators.map(({ email, name, status, lastActiveAt }) =>
      [email, name, status, lastActiveAt === null ? 'never signed in' : `last seen ${lastActiveAt.toISOString()}`].join(
        '  ',
      ),
    );
  }

  async create(email: string): Promise<string[]> {
    if (normalizeEmail(email) === undefined) throw notAnAddress(email);
    const created = await this.administrators.create(email);
    const isNew = created.password !== undefined;
    return [
      `${created.email} is an administrator.`,
      isNew ? `Password: ${created.password}   (shown only once)` : 'The password has not been changed.',
    ];
  }

  async resetPassword(email: string): Promise<string[]> {
    const account = await this.accountOf(email);
    const password = randomPassword();
    await this.passwords.replaceByOperator(account.id, password);
    return [
      `Password of ${account.email}: ${password}   (shown only once)`,
      'All sessions and access tokens of the account have been ended.',
    ];
  }

  async resetSecondFactor(email: string): Promise<string[]> {
    const { id, email: address } = await this.accountOf(email);
    const wasOn = await this.database.transaction(() => this.secondFactors.reset(id));
    if (!wasOn) return [`${address} has no second factor.`];
    return [`The second factor of ${address} is off, and all sessions of the account have been ended.`];
  }

  async promote(email: string): Promise<string[]> {
    const { id, email: address, isAdmin, status } = await this.accountOf(email);
    await this.database.transaction(() => this.users.changeByOperator(id, { is_admin: true }));
    return [
      `${address} is ${isAdmin ? 'already' : 'now'} an administrator.`,
      ...(status === 'active' ? [] : [`The account is ${status} and cannot sign in.`]),
    ];
  }

  async demote(email: string): Promise<string[]> {
    const { id, email: address, isAdmin } = await this.accountOf(email);
    await this.database.transaction(() => this.users.changeByOperator(id, { is_admin: false }));
    return [`${address} is ${isAdmin ? 'no longer' : 'not'} an administrator.`];
  }

  async suspend(email: string): Promise<string[]> {
    const { id, email: address } = await this.accountOf(email);
    await this.database.transaction(() => this.users.changeByOperator(id, { status: 'suspended' }));
    return [`${address} is suspended, and all sessions and access tokens of the account have been ended.`];
  }

  /** Also ends access tokens, including those created for agents, whose holders would otherwise stay signed in. */
  async revokeSessions(email: string): Promise<string[]> {
    const { id, email: address } = await this.accountOf(email);
    await this.database.transaction(async () => {
      await this.sessions.endAll(id);
      await this.tokens.endAll(null, id);
    });
    return [`All sessions and access tokens of ${address} have been ended.`];
  }

  private async accountOf(address: string): Promise<OperatedAccount> {
    const email = normalizeEmail(address);
    if (email === undefined) throw notAnAddress(address);
    const account = await this.accounts.operatedByEmail(email);
    if (account === undefined) throw new StartError(`No account has the e-mail address ${email}.`);
    return account;
  }
}

const notAnAddress = (text: string): StartError => new StartError(`"${text}" is not an e-mail address.`);
