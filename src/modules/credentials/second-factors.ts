import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CredentialSecrets } from './credential-secrets.js';
import { CredentialsRepository, type TotpSecret } from './credentials.repository.js';
import { isTotpCode, stepOf } from './totp.rules.js';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

/** Second factors that were accepted. */
export type UsedFactor = 'totp' | 'recovery_code';

/** Checks codes of authenticator apps and recovery codes, each of which works once. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly secrets: CredentialSecrets,
  ) {}

  /** Uses up a code in the current transaction; undefined if it is wrong, used already, or no second factor is on. */
  async use(userId: string, enteredCode: string): Promise<UsedFactor | undefined> {
    const code = enteredCode.replaceAll(/\s/g, '');
    if (!isTotpCode(code)) {
      const isUsed = await this.credentials.useRecoveryCode(userId, this.secrets.hashOf(userId, code));
      return isUsed ? 'recovery_code' : undefined;
    }
    const step = this.stepIn(userId, code, await this.credentials.enabledTotp(userId));
    if (step === undefined) return undefined;
    await this.credentials.useStep(userId, step);
    return 'totp';
  }

  /** Stores a new secret, which its first code enables; undefined if a second factor is on. */
  async offer(userId: string, minutes: number): Promise<{ secret: Buffer; expiresAt: Date } | undefined> {
    const secret = randomBytes(SECRET_BYTES);
    const expiresAt = await this.credentials.offerTotp(userId, this.secrets.seal(userId, secret), minutes);
    return expiresAt && { secret, expiresAt };
  }

  /** Turns the second factor on in the current transaction, and returns its recovery codes; undefined for a wrong code. */
  async enable(userId: string, enteredCode: string): Promise<string[] | undefined> {
    const code = enteredCode.replaceAll(/\s/g, '');
    const offered = await this.credentials.offeredTotp(userId);
    const step = isTotpCode(code) ? this.stepIn(userId, code, offered) : undefined;
    if (step === undefined) return undefined;
    await this.credentials.enableTotp(userId, step);
    return this.newRecoveryCodes(userId);
  }

  /** Replaces the recovery codes of the user and returns the new ones, which cannot be read again. */
  async newRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.secrets.recoveryCode());
    await this.credentials.replaceRecoveryCodes(
      userId,
      codes.map((code) => this.secrets.hashOf(userId, code)),
    );
    return codes;
  }

  private stepIn(userId: string, code: string, stored: TotpSecret | undefined): number | undefined {
    const secret = stored && this.secrets.unseal(userId, stored.secret);
    if (stored === undefined || secret === undefined) return undefined;
    return stepOf(secret, code, stored.seconds, stored.lastStep);
  }
}
