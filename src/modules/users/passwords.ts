import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { Secrets } from '../../platform/config/secrets.js';
import { Settings } from '../../platform/config/settings.js';
import { Semaphore } from './semaphore.js';

const MOST_AT_ONCE = 2;
const MOST_WAITING = 32;

/**
 * Hashes passwords and compares them. bcrypt sees a keyed digest, because it would ignore all after 72 bytes; it uses
 * up the threads that DNS and files need as well, so only a few run at once.
 */
@Injectable()
export class Passwords {
  private readonly pepper = this.secrets.keyFor('password');
  private readonly gate = new Semaphore(MOST_AT_ONCE, MOST_WAITING);
  private readonly crowd = new Semaphore(MOST_AT_ONCE + MOST_WAITING, 0);

  constructor(
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  /** For requests that hash a password later: rejects them now, at no cost, if the queue is full. */
  amongFew<T>(work: () => Promise<T>): Promise<T> {
    return this.crowd.run(work);
  }

  hash(password: string): Promise<string> {
    return this.gate.run(() => bcrypt.hash(this.digest(password), this.settings.BCRYPT_COST));
  }

  /** Without a hash (unknown user, no password yet), the check takes equally long and fails. */
  matches(password: string, hash: string | null | undefined): Promise<boolean> {
    return this.gate.run(async () => {
      const isRight = await bcrypt.compare(this.digest(password), hash ?? this.hashOfNoUser);
      return isRight && typeof hash === 'string';
    });
  }

  private digest(password: string): string {
    return createHmac('sha256', this.pepper).update(password.normalize('NFKC')).digest('base64');
  }

  private get hashOfNoUser(): string {
    return `$2b$${String(this.settings.BCRYPT_COST).padStart(2, '0')}$abcdefghijklmnopqrstu.${'n'.repeat(30)}.`;
  }
}
