import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isId } from '../../common/ids.js';
import { Secrets, type SigningKey } from '../../platform/config/secrets.js';

export const ISSUER = 'worksmith';
const MAX_CACHED = 10_000;

/** The claims of a session token: user, session and expiry. They carry no rights. */
export interface Claims {
  sub: string;
  jti: string;
  exp: number;
}

/** Returns the claims of a verified token; undefined if they are not the claims of a session token. */
export function claimsIn(payload: unknown): Claims | undefined {
  const { sub, jti, exp } = payload as Partial<Claims>;
  return isId('user', sub) && isId('session', jti) && typeof exp === 'number' ? { sub, jti, exp } : undefined;
}

/**
 * Returns the key with the `kid` of the token, so that tokens stay valid after a rotation of the keys. Tokens with a
 * `crit` header are rejected, because they require extensions that this service does not support.
 */
export function signingKeyOf(token: string, keys: readonly SigningKey[]): SigningKey | undefined {
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
 * Signs session tokens, and caches verified ones until they expire, because verifying a signature costs half as much as
 * a read. Only the verified claims are cached, never whether the session is still active.
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
      // The declared type accepts only strings and buffers; jsonwebtoken is faster with a key object.
      secret: key as unknown as string,
      keyid: kid,
      algorithm: 'HS256',
      subject: userId,
      jwtid: sessionId,
      issuer: ISSUER,
      audience: ISSUER,
    });
  }

  verifiedClaims(token: string): Claims | undefined {
    const claims = this.verified.get(token);
    if (claims === undefined || claims.exp * 1000 > Date.now()) return claims;
    this.verified.delete(token);
    return undefined;
  }

  remember(token: string, claims: Claims): void {
    if (this.verified.size >= MAX_CACHED) this.verified.clear();
    this.verified.set(token, claims);
  }
}
