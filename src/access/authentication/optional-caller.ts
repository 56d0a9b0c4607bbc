import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Secrets } from '../../platform/config/secrets.js';
import type { Caller } from './caller.js';
import { Callers } from './callers.js';
import { claimsIn, ISSUER, signingKeyOf, type Claims } from './tokens.js';

/** Determines the caller of a public operation, which treats an invalid token like a missing one. */
@Injectable()
export class OptionalCaller {
  constructor(
    private readonly jwt: JwtService,
    private readonly secrets: Secrets,
    private readonly callers: Callers,
  ) {}

  async find(authorization: string | undefined): Promise<Caller | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const claims = token === undefined ? undefined : this.claimsOf(token);
    if (claims === undefined) return undefined;
    const caller = await this.callers.bySession(claims.jti).catch(() => undefined);
    return caller?.userId === claims.sub ? caller : undefined;
  }

  private claimsOf(token: string): Claims | undefined {
    const signingKey = signingKeyOf(token, this.secrets.signingKeys);
    if (signingKey === undefined) return undefined;
    const checks = { algorithms: ['HS256' as const], issuer: ISSUER, audience: ISSUER };
    try {
      // The declared type accepts only strings and buffers; verification with a key object is faster.
      return claimsIn(this.jwt.verify<object>(token, { secret: signingKey.key as unknown as string, ...checks }));
    } catch {
      return undefined;
    }
  }
}
