import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isId } from '../common/ids.js';
import { Secrets, type SigningKey } from '../platform/config/secrets.js';

export const ISSUER = 'worksmith';
const MOST_REMEMBERED = 10_000;

/** What a session token says: whose session it is, and until when. It carries no rights. */
export interface Claims {
  sub: string;
  jti: string;
  exp: number;
}

/** What a verified token says; undefined where that is not what a session token says. */
export function claimsIn(payload: unknown): Claims | undefined {
  const { sub, jti, exp } = payload as Partial<Claims>;
  return isId('user', sub) && isId('session', jti) && typeof exp === 'number' ? { sub, jti, exp } : undefined;
}

/** The key that the token names, so that tokens outlive a rotation; none where it demands extensions, unknown here. */
export function keyNamedIn(token: string, keys: readonly SigningKey[]): SigningKey | undefined {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()) as {
      kid?: string;
      crit?: unknown;
    };
    return keys.find(({ kid }) => kid === header.kid && header.crit === undefined);
  } catch {
    return undefined;
  }
}

/**
 * Signs session tokens, and remembers verified ones until they expire: verifying a signature again costs half of a
 * read, and only the signature is remembered, never whether the session still lives.
 */
@Injectable()
export class Tokens {
  private readonly verified = new Map<string, Claims>();

  constructor(
    private readonly jwt: JwtService,
    private readonly secrets: Secrets,
  ) {}

  sign(userId: string, sessionId: string, expiresAt: Date): string {
    const [{ kid, key }] = this.secrets.signingKeys;
    const payload = { exp: Math.floor(expiresAt.getTime() / 1000) };
    return this.jwt.sign(payload, {
      // The declared type accepts only strings and buffers; a key object is faster with jsonwebtoken.
      secret: key as unknown as string,
      keyid: kid,
      algorithm: 'HS256',
      subject: userId,
      jwtid: sessionId,
      issuer: ISSUER,
      audience: ISSUER,
    });
  }

  remembered(token: string): Claims | undefined {
    const claims = this.verified.get(token);
    if (claims === undefined || claims.exp * 1000 > Date.now()) return claims;
    this.verified.delete(token);
    return undefined;
  }

  remember(token: string, claims: Claims): void {
    if (this.verified.size >= MOST_REMEMBERED) this.verified.clear();
    this.verified.set(token, claims);
  }
}
