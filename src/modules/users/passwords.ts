import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { Secrets } from '../../platform/config/secrets.js';
import { Settings } from '../../platform/config/settings.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Semaphore } from './semaphore.js';

const MAX_AT_ONCE = 2;
const MAX_WAITING = 32;

/**
 * Hashes and compares passwords. bcrypt gets a keyed digest, because it ignores everything after 72 bytes. Only a few
 * hashes run concurrently, because they occupy the threads that DNS and file access also need.
 */
@Injectable()
export class Passwords {
  private readonly pepper = this.secrets.keyFor('password');
  private readonly hashing = new Semaphore(MAX_AT_ONCE, MAX_WAITING);
  private readonly requests = new Semaphore(MAX_AT_ONCE + MAX_WAITING, 0);

  constructor(
    private readonly secrets: Secrets,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    metrics.byLabel(
      'password_hashes',
      'Passwords that are hashed or wait for it, by state.',
      'state',
      () => this.hashing.state,
    );
  }

  /** Runs a request that will hash a password; rejects it early if the queue is full. */
  limitRequests<T>(work: () => Promise<T>): Promise<T> {
    return this.requests.run(work);
  }

  hash(password: string): Promise<string> {
    return this.hashing.run(() => bcrypt.hash(this.digest(password), this.settings.BCRYPT_COST));
  }

  /**
   * Whether the password matches. Without a hash (unknown user or no password), the check takes equally long and fails.
   */
  matches(password: string, hash: string | null | undefined): Promise<boolean> {
    return this.hashing.run(async () => {
      const isMatch = await bcrypt.compare(this.digest(password), hash ?? this.dummyHash);
      return isMatch && typeof hash === 'string';
    });
  }

  private digest(password: string): string {
    return createHmac('sha256', this.pepper).update(password.normalize('NFKC')).digest('base64');
  }

  private get dummyHash(): string {
    return `$2b$${String(this.settings.BCRYPT_COST).padStart(2, '0')}$abcdefghijklmnopqrstu.${'n'.repeat(30)}.`;
  }
}
