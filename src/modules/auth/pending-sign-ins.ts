import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ProviderSession } from '../../access/authentication/sessions.js';
import { Secrets } from '../../platform/config/secrets.js';
import { PendingSignInsRepository, type AttemptedSignIn } from './pending-sign-ins.repository.js';

const TOKEN_BYTES = 32;
const MINUTES = 5;
const MAX_ATTEMPTS = 5;

/** What a client gets for the right password of an account with a second factor. */
export interface SecondFactorRequired {
  status: '2fa_required';
  pending_token: string;
  methods: string[];
  expires_at: string;
}

/** Sign-ins that wait for the second factor, each for five minutes and five attempts. */
@Injectable()
export class PendingSignIns {
  private readonly key = this.secrets.keyFor('pending-sign-in');

  constructor(
    private readonly repository: PendingSignInsRepository,
    private readonly secrets: Secrets,
  ) {}

  async start(
    userId: string,
    { methods, provider }: { methods: string[]; provider: ProviderSession | null },
  ): Promise<SecondFactorRequired> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = await this.repository.insert(
      { hash: this.hashOf(token), userId, isByProvider: provider !== null, provider },
      MINUTES,
    );
    return { status: '2fa_required', pending_token: token, methods, expires_at: expiresAt.toISOString() };
  }

  /** Counts an attempt, which stays counted, and returns whose it is; undefined if the token is of no use any more. */
  attempt(token: string): Promise<AttemptedSignIn | undefined> {
    return this.repository.countAttempt(this.hashOf(token), MAX_ATTEMPTS);
  }

  /** Ends the sign-in in the transaction that opens the session; false if another request or a new password did so first. */
  use(token: string): Promise<boolean> {
    return this.repository.delete(this.hashOf(token));
  }

  /** Ends all sign-ins of the user that wait. */
  endAll(userId: string): Promise<void> {
    return this.repository.deleteOf(userId);
  }

  private hashOf(token: string): string {
    return createHmac('sha256', this.key).update(token).digest('base64url');
  }
}
