import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import type { MailTry } from './mail-contents.js';

const CODES = 36n ** 9n;

/**
 * Makes the codes and tokens that travel by mail, from the random id of the mail and a key that only the service has:
 * as unguessable as a random one, yet the same at every try, although only its hash is ever stored.
 */
@Injectable()
export class MailSecrets {
  constructor(private readonly secrets: Secrets) {}

  of(id: string): MailTry {
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

/** 256 bits taken modulo 36^9 favour no code by more than one part in 2^200. */
function codeFrom(bytes: Buffer): string {
  const digits = (BigInt(`0x${bytes.toString('hex')}`) % CODES).toString(36).padStart(9, '0');
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join('-');
}
