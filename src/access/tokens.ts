import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Secrets } from '../platform/config/secrets.js';

export const ISSUER = 'worksmith';
const MOST_REMEMBERED = 10_000;

/** What a session token says: whose session it is, and until when. It carries no rights. */
export interface Claims {
  sub: string;
  jti: string;
  exp: number;
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
      // The declared type knows strings and buffers only; a key object is what jsonwebtoken works with fastest.
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
