import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../platform/config/secrets.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'wsk_';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** The CRC-32 of the random part in six base-62 digits, which lets scanners recognize real tokens. */
function checkOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Whether the bearer token is an access token, by its prefix. */
export const isAccessToken = (token: string): boolean => token.startsWith(PREFIX);

/** Whether the token has the form of an access token, including the check digits. */
export function isWellFormed(token: string): boolean {
  if (!FORM.test(token)) return false;
  const random = token.slice(PREFIX.length, -CHECK_LENGTH);
  return token.endsWith(checkOf(random));
}

/**
 * Generates the secrets of access tokens and hashes them: `wsk_`, 40 random base-62 digits (238 bits) and the check
 * digits. Tokens are looked up by a keyed hash, so the duration of the lookup reveals nothing about the secret.
 */
@Injectable()
export class AccessTokenSecrets {
  private readonly key = this.secrets.keyFor('access-token');

  constructor(private readonly secrets: Secrets) {}

  generate(): string {
    const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(62)]).join('');
    return `${PREFIX}${random}${checkOf(random)}`;
  }

  hashOf(token: string): string {
    return createHmac('sha256', this.key).update(token).digest('base64url');
  }
}
