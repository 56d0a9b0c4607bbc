import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Sessions, type SignedIn } from '../../access/sessions.js';
import { ApiError } from '../../common/errors.js';
import { RefusalTally } from '../../platform/audit/refusal-tally.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { AccountsRepository, type LoginAccount } from '../users/accounts.repository.js';
import { Semaphore } from '../users/semaphore.js';
import { Passwords } from '../users/passwords.js';
import { UsersService } from '../users/users.service.js';
import { AuthLimits } from './auth-limits.js';
import type { LoginDto } from './auth.dto.js';

/** A user who has just signed in. */
export interface LoggedIn extends SignedIn {
  token_type: 'Bearer';
  user_id: string;
  name: string;
  email: string;
}

const OPERATION = 'POST /api/v1/auth/login';

/** Many simultaneous sign-ins must not use up the connections of other requests. */
const MOST_LOOKED_UP_AT_ONCE = 2;

/** Signs users in and out. Every failure has the same answer and takes equally long, except for suspended accounts. */
@Injectable()
export class LoginService {
  private readonly lookingUp = new Semaphore(MOST_LOOKED_UP_AT_ONCE, Infinity);

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly tally: RefusalTally,
    private readonly users: UsersService,
  ) {}

  async login({ email, password }: LoginDto): Promise<LoggedIn> {
    const account = await this.passwords.limitRequests(() => this.identified(email, password));
    if (account.status === 'suspended') {
      this.noteFailure('account_suspended', email, account.id);
      throw new ApiError('account_suspended', 'This account is suspended.');
    }
    const signedIn = await this.database.transaction(() => this.welcome(account));
    return { ...signedIn, token_type: 'Bearer', user_id: account.id, name: account.name, email };
  }

  /** The token is rejected everywhere from the commit on. */
  async logout(me: Caller): Promise<{ status: 'logged_out' }> {
    await this.sessions.end(me.userId, me.sessionId);
    return { status: 'logged_out' };
  }

  private async identified(email: string, password: string): Promise<LoginAccount> {
    const account = await this.lookingUp.run(() => this.lookedUp(email));
    const isRight = await this.passwords.matches(password, account?.passwordHash);
    if (isRight && account !== undefined && !isClosed(account)) return account;
    this.noteFailure('invalid_credentials', email, account?.id);
    throw invalidCredentials();
  }

  /** Recorded here, because only this service knows the account, which the answer does not reveal. */
  private noteFailure(code: string, email: string, userId?: string): void {
    const { requestId, clientAddress: address, userAgent } = this.context;
    const account = { userId, entityType: 'user' as const, entityId: userId };
    const from = { requestId, address, userAgent: userAgent?.slice(0, 300), email };
    this.tally.record({ action: 'sign_in.failed', code, operation: OPERATION, ...account, ...from });
  }

  private async lookedUp(email: string): Promise<LoginAccount | undefined> {
    await this.limits.login();
    const account = await this.accounts.forLogin(email, this.context.clientNetwork);
    await this.limits.takePasswordTry(email, account?.isKnown ?? false);
    return account;
  }

  private async welcome({ id, email, status, passwordHash }: LoginAccount): Promise<SignedIn> {
    await this.limits.forgetPasswordTries(email);
    if (status === 'inactive') await this.users.reopen(id);
    // Suspended, or given another password, while the password was being compared.
    if (!(await this.accounts.countLogin(id, passwordHash))) throw invalidCredentials();
    return this.sessions.open(id);
  }
}

/** Users who closed their own account can reopen it until it is erased. */
const isClosed = ({ status, isReopenable }: LoginAccount): boolean => status === 'inactive' && !isReopenable;

const invalidCredentials = (): ApiError =>
  new ApiError('invalid_credentials', 'The e-mail address or password is wrong.');
