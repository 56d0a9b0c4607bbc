import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import {
  Sessions,
  type ProviderSession,
  type SignedIn,
  type SignInFacts,
} from '../../access/authentication/sessions.js';
import { StepUp } from '../../access/second-factor/step-up.js';
import { ApiError } from '../../common/errors.js';
import { SECOND_FACTORS } from '../../common/proofs.js';
import { RefusalTally } from '../../platform/audit/refusal-tally.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { AccountsRepository, type LoginAccount } from '../users/accounts.repository.js';
import { Semaphore } from '../users/semaphore.js';
import { Passwords } from '../users/passwords.js';
import { UsersService } from '../users/users.service.js';
import { AuthLimits } from './auth-limits.js';
import type { LoginDto } from './auth.dto.js';
import { PendingSignIns, type SecondFactorRequired } from './pending-sign-ins.js';

/** The session and user of a successful sign-in. */
export interface LoggedIn extends SignedIn {
  token_type: 'Bearer';
  user_id: string;
  name: string;
  email: string;
}

/** The answer to signing out. */
export interface LoggedOut {
  status: 'logged_out';
  end_session_url?: string;
}

const OPERATION = 'POST /api/v1/auth/login';

/** How a sign-in without a password ends, and its one text for every reason, which tells nothing about the account. */
const WAYS = {
  'password+totp': {
    operation: 'POST /api/v1/auth/totp/verify',
    message: 'The code is wrong or already used, or the sign-in has expired. Try again, or sign in again.',
  },
  oidc: {
    operation: 'POST /api/v1/auth/oidc/finish',
    message: 'The provider did not confirm this sign-in, or it has expired. Try again, or sign in in another way.',
  },
  passkey: {
    operation: 'POST /api/v1/auth/passkeys/login',
    message: 'The passkey is unknown or was removed, or the sign-in has expired. Try again, or sign in in another way.',
  },
} as const;

type Way = keyof typeof WAYS;

/** Limits the database connections of concurrent sign-ins, so that other requests find free ones. */
const MAX_CONCURRENT_LOOKUPS = 2;

/** Signs users in and out. Every failure has the same response and duration, except for suspended accounts. */
@Injectable()
export class LoginService {
  private readonly log = new Logger('SignIn');
  private readonly lookups = new Semaphore(MAX_CONCURRENT_LOOKUPS, Infinity);

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
    private readonly pending: PendingSignIns,
    private readonly sessions: Sessions,
    private readonly stepUp: StepUp,
    private readonly tally: RefusalTally,
    private readonly users: UsersService,
  ) {}

  async login({ email, password }: LoginDto): Promise<LoggedIn | SecondFactorRequired> {
    const account = await this.passwords.limitRequests(() => this.authenticate(email, password));
    this.assertNotSuspended(account);
    if (account.hasSecondFactor) return this.database.transaction(() => this.awaitSecondFactor(account));
    const signedIn = await this.database.transaction(() => this.openSession(account));
    return loggedInOf(account, signedIn);
  }

  /**
   * Continues a sign-in that waits for the second factor. `proves` uses up a code in the transaction that opens the
   * session. The account is checked again, because it can have been suspended or closed meanwhile.
   */
  async finish(token: string, proves: (userId: string) => Promise<boolean>): Promise<LoggedIn> {
    const attempted = await this.pending.attempt(token);
    const account = attempted && (await this.accounts.forProved(attempted.userId, this.context.clientNetwork));
    if (account === undefined) throw this.refusalOf('password+totp');
    await this.limits.countCodeAttempt(account.id, account.isKnown);
    return this.database.transaction(async () => {
      if (!(await proves(account.id))) throw this.refusalOf('password+totp', account);
      const way = attempted?.isByProvider === true ? 'oidc' : 'password+totp';
      const facts = { hasSecondFactor: true, provider: attempted?.provider ?? undefined };
      const loggedIn = await this.openProved(account.id, way, facts);
      if (!(await this.pending.use(token))) throw this.refusalOf('password+totp', account);
      await this.limits.resetCodeAttempts(account.id);
      return loggedIn;
    });
  }

  /** Opens a session in the current transaction for a user who has proved everything; 401 if the account is closed. */
  async openProved(userId: string, way: Way, facts: SignInFacts = {}): Promise<LoggedIn> {
    const account = await this.accounts.forProved(userId, this.context.clientNetwork);
    if (account === undefined || isClosed(account)) throw this.refusalOf(way, account);
    this.assertNotSuspended(account);
    if (account.status === 'inactive') await this.users.reopen(userId);
    if (!(await this.accounts.countLogin(userId))) throw this.refusalOf(way, account);
    return loggedInOf(account, await this.sessions.open(userId, way, facts));
  }

  /** The same for a user whom an identity provider has named; one that proves no second factor leaves that of the account. */
  async openByProvider(userId: string, facts: SignInFacts): Promise<LoggedIn | SecondFactorRequired> {
    const account = await this.accounts.forProved(userId, this.context.clientNetwork);
    if (account === undefined || isClosed(account)) throw this.refusalOf('oidc', account);
    this.assertNotSuspended(account);
    if (!account.hasSecondFactor || facts.hasSecondFactor === true) return this.openProved(userId, 'oidc', facts);
    return this.startPending(userId, facts.provider ?? null);
  }

  /**
   * Ends the session; every replica rejects its token once the transaction has committed. One that began at a provider has the
   * address at which a browser ends the session there.
   */
  async logout(me: Caller): Promise<LoggedOut> {
    const url = await this.sessions.end(me.userId, me.sessionId);
    return { status: 'logged_out', ...(url !== undefined && { end_session_url: url }) };
  }

  private async authenticate(email: string, password: string): Promise<LoginAccount> {
    const account = await this.lookups.run(() => this.findAccount(email));
    const isRight = await this.passwords.matches(password, account?.passwordHash);
    const isFailure = !isRight || account === undefined || isClosed(account);
    if (isFailure) this.recordFailure('invalid_credentials', email, account?.id);
    await this.lookups.run(() => this.limits.settleLogin({ isFailure }));
    if (isFailure) throw invalidCredentials();
    return account;
  }

  private assertNotSuspended({ id, email, status }: LoginAccount): void {
    if (status !== 'suspended') return;
    this.recordFailure('account_suspended', email, id);
    throw new ApiError('account_suspended', 'This account is suspended.');
  }

  /** The error for a sign-in that failed, which is recorded for the audit log, with the account if it is known. */
  refusalOf(way: Way, account?: { id: string; email?: string }): ApiError {
    const { operation, message } = WAYS[way];
    this.recordFailure('invalid_credentials', account?.email, account?.id, operation);
    return invalidCredentials(message);
  }

  /** Records a failed sign-in for the audit log, with the account, which the response does not reveal. */
  private recordFailure(code: string, email?: string, userId?: string, operation: string = OPERATION): void {
    const { requestId, clientAddress: address, userAgent } = this.context;
    const account = { userId, entityType: 'user' as const, entityId: userId };
    const from = { requestId, address, userAgent: userAgent?.slice(0, 300), email };
    this.tally.record({ action: 'sign_in.failed', code, operation, ...account, ...from });
    this.log.log({ msg: 'sign-in failed', code, user_id: userId, request_id: requestId, address });
  }

  private async findAccount(email: string): Promise<LoginAccount | undefined> {
    await this.limits.assertMayLogin();
    const account = await this.accounts.forLogin(email, this.context.clientNetwork);
    await this.limits.countPasswordAttempt(email, account?.isKnown ?? false);
    return account;
  }

  /** The right password of an account with a second factor: opens no session, and does not reopen a closed account. */
  private async awaitSecondFactor({ id, email }: LoginAccount): Promise<SecondFactorRequired> {
    await this.limits.countLogin(email);
    await this.limits.resetPasswordAttempts(email);
    return this.startPending(id, null);
  }

  private async startPending(userId: string, provider: ProviderSession | null): Promise<SecondFactorRequired> {
    const accepted = await this.stepUp.methodsOf(userId);
    const methods = SECOND_FACTORS.filter((factor) => accepted.includes(factor));
    return this.pending.start(userId, { methods, provider });
  }

  private async openSession({ id, email, status, passwordHash }: LoginAccount): Promise<SignedIn> {
    await this.limits.countLogin(email);
    await this.limits.resetPasswordAttempts(email);
    if (status === 'inactive') await this.users.reopen(id);
    // Fails if the account was suspended or its password was changed during the comparison of the password.
    if (!(await this.accounts.countLogin(id, passwordHash))) throw invalidCredentials();
    return this.sessions.open(id);
  }
}

/** Whether the user cannot sign in because the account is inactive. Users can reopen their own closed account. */
const isClosed = ({ status, isReopenable }: LoginAccount): boolean => status === 'inactive' && !isReopenable;

const loggedInOf = ({ id, name, email }: LoginAccount, signedIn: SignedIn): LoggedIn => ({
  ...signedIn,
  token_type: 'Bearer',
  user_id: id,
  name,
  email,
});

const invalidCredentials = (message = 'The e-mail address or password is wrong.'): ApiError =>
  new ApiError('invalid_credentials', message);
