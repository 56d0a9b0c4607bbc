import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import type { MailAttempt } from './mail-contents.js';

const CODES = 36n ** 9n;

/**
 * Derives the codes and tokens in mails from the random id of the mail and a secret key: they are unpredictable, but
 * the same at every attempt, although only their hash is stored.
 */
@Injectable()
export class MailSecrets {
  constructor(private readonly secrets: Secrets) {}

  attemptOf(id: string): MailAttempt {
    return {
      id,
      code: () => codeFrom(this.bytes(id, 'code')),
      token: () => this.bytes(id, 'token').toString('base64url'),
    };
  }

  private bytes(id: string, use: 'code' | 'token'): Buffer {
    const bytes = createHmac('sha256', this.secrets.keyFor('mail')).update(`${use} ${id}`).digest();
    return use === 'token' ? bytes.subarray(0, 16) : bytes;
  }
}

/** 256 bits modulo 36^9: the bias of any code is below one part in 2^200. */
function codeFrom(bytes: Buffer): string {
  const digits = (BigInt(`0x${bytes.toString('hex')}`) % CODES).toString(36).padStart(9, '0');
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join('-');
}
