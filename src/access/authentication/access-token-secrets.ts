import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Of access tokens, of the provisioning tokens of organizations, of what programs renew their access tokens with, of the
 * secrets of programs, and of the tokens with which these register themselves.
 */
const PREFIXES = {
  access: 'wsk_',
  provisioning: 'wsp_',
  refresh: 'wsr_',
  client: 'wsc_',
  registration: 'wsi_',
} as const;
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

type SecretKind = keyof typeof PREFIXES;

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
export const isAccessToken = (token: string): boolean => token.startsWith(PREFIXES.access);

/** Whether the token has the form of an access token, or of another kind of token, including the check digits. */
export function isWellFormed(token: string, kind: SecretKind = 'access'): boolean {
  const prefix = PREFIXES[kind];
  const digits = token.slice(prefix.length);
  return token.startsWith(prefix) && FORM.test(digits) && digits.endsWith(checkOf(digits.slice(0, RANDOM_LENGTH)));
}

/**
 * Generates the secrets of tokens and hashes them: a prefix (`wsk_` for access tokens), 40 random base-62 digits (238 bits) and the check
 * digits. Tokens are looked up by a keyed hash, so the duration of the lookup reveals nothing about the secret.
 */
@Injectable()
export class AccessTokenSecrets {
  private readonly key = this.secrets.keyFor('access-token');

  constructor(private readonly secrets: Secrets) {}

  generate(kind: SecretKind = 'access'): string {
    const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(62)]).join('');
    return `${PREFIXES[kind]}${random}${checkOf(random)}`;
  }

  hashOf(token: string): string {
    return createHmac('sha256', this.key).update(token).digest('base64url');
  }
}
