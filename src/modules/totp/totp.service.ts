import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { WaysIn } from '../../access/authentication/ways-in.js';
import { ApiError, conflict } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { AuthLimits } from '../auth/auth-limits.js';
import { LoginService, type LoggedIn } from '../auth/login.service.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { SecondFactors } from '../credentials/second-factors.js';
import { base32, otpauthUrl } from '../credentials/totp.rules.js';
import { AccountsRepository } from '../users/accounts.repository.js';
import { CredentialChanges } from '../users/credential-changes.js';
import { qrCode } from './qr-code.js';

const SETUP_MINUTES = 15;

export interface TotpStatus {
  enabled: boolean;
  enabled_at: string | null;
  recovery_codes_remaining: number;
}

/** A secret for an authenticator app that waits for its first code. */
export interface TotpSetup {
  secret: string;
  url: string;
  qr_code: string;
  expires_at: string;
}

export interface RecoveryCodes {
  status: 'enabled';
  recovery_codes: string[];
}

const verificationFailed = (): ApiError =>
  new ApiError('verification_failed', 'This code is wrong, already used or expired.');
const alreadyEnabled = (): ApiError =>
  conflict('already_enabled', 'A second factor is on already; turn it off first to use another app.');

/** Second factors: codes of authenticator apps (RFC 6238), and recovery codes for the case that the app is lost. */
@Injectable()
export class TotpService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly changes: CredentialChanges,
    private readonly credentials: CredentialsRepository,
    private readonly database: Database,
    private readonly factors: SecondFactors,
    private readonly limits: AuthLimits,
    private readonly logins: LoginService,
    private readonly waysIn: WaysIn,
  ) {}

  async status(me: Caller): Promise<TotpStatus> {
    const { enabledAt, recoveryCodes } = await this.credentials.secondFactorOf(me.userId);
    return {
      enabled: enabledAt !== null,
      enabled_at: enabledAt?.toISOString() ?? null,
      recovery_codes_remaining: recoveryCodes,
    };
  }

  /** Offers a new secret, which replaces one that has not been enabled. */
  async setup(me: Caller): Promise<TotpSetup> {
    const user = await this.accounts.owner(me.userId);
    const offered = await this.factors.offer(me.userId, SETUP_MINUTES);
    if (user === undefined || offered === undefined) throw alreadyEnabled();
    const url = otpauthUrl(offered.secret, user.email);
    return {
      secret: base32(offered.secret),
      url,
      qr_code: qrCode(url).toString('base64'),
      expires_at: offered.expiresAt.toISOString(),
    };
  }

  async enable(me: Caller, code: string): Promise<RecoveryCodes> {
    if ((await this.credentials.secondFactorOf(me.userId)).enabledAt !== null) throw alreadyEnabled();
    return this.withRightCode(me, async () => {
      const codes = await this.factors.enable(me.userId, code);
      if (codes === undefined) throw verificationFailed();
      await this.changes.record(me.userId, 'second_factor.enabled');
      return { status: 'enabled', recovery_codes: codes };
    });
  }

  /** Turns the second factor off, which ends all other sessions. */
  disable(me: Caller, code: string): Promise<{ status: 'disabled' }> {
    return this.withRightCode(me, async () => {
      if ((await this.factors.use(me.userId, code)) === undefined) throw verificationFailed();
      await this.credentials.deleteSecondFactor(me.userId);
      await this.waysIn.assertMayLose(me.userId);
      await this.changes.recordLoss(me.userId, 'second_factor.disabled', me.sessionId);
      return { status: 'disabled' };
    });
  }

  /** Replaces the recovery codes, which ends all other sessions. */
  renewRecoveryCodes(me: Caller, code: string): Promise<RecoveryCodes> {
    return this.withRightCode(me, async () => {
      if ((await this.factors.use(me.userId, code)) === undefined) throw verificationFailed();
      const codes = await this.factors.newRecoveryCodes(me.userId);
      await this.changes.recordLoss(me.userId, 'recovery_codes.replaced', me.sessionId);
      return { status: 'enabled', recovery_codes: codes };
    });
  }

  /** Completes a sign-in that `POST /auth/login` has begun. */
  verify(token: string, code: string): Promise<LoggedIn> {
    return this.logins.finish(token, async (userId) => {
      const used = await this.factors.use(userId, code);
      if (used === 'recovery_code') await this.changes.record(userId, 'recovery_code.used');
      return used !== undefined;
    });
  }

  /** Counts the attempt before the code is checked, like wrong proofs; `work` throws if it is wrong. */
  private async withRightCode<T>(me: Caller, work: () => Promise<T>): Promise<T> {
    await this.limits.countProof(me.userId);
    const result = await this.database.transaction(work);
    await this.limits.takeBackProof(me.userId);
    return result;
  }
}
