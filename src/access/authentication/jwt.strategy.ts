import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy, type SecretOrKeyProvider } from 'passport-jwt';
import { Secrets, type SigningKey } from '../../platform/config/secrets.js';
import { claimsIn, ISSUER, signingKeyOf, type Claims } from './tokens.js';

/** Verifies signature, issuer, audience and expiry of a session token; the guard looks up the session itself. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(secrets: Secrets) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: keyProvider(secrets.signingKeys),
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: ISSUER,
    });
  }

  validate(payload: unknown): Claims | false {
    return claimsIn(payload) ?? false;
  }
}

const keyProvider =
  (keys: readonly SigningKey[]): SecretOrKeyProvider =>
  (_request, token: string, done) => {
    const signingKey = signingKeyOf(token, keys);
    // The types of passport-jwt allow only strings and buffers; verification with a key object is six times faster.
    done(signingKey === undefined ? new Error('unknown key') : null, signingKey?.key as unknown as string);
  };
