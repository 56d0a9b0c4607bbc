import { Injectable, Logger } from '@nestjs/common';
import { isRecord } from '../../../common/texts/json.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import type { SignInProvider } from '../identity-providers.repository.js';
import { ProviderConnections } from './provider-connections.js';
import { reasonOf } from './provider-protocol.js';
import { CLOCK_TOLERANCE_SECONDS, isWord } from '../provider.rules.js';
import { isSignedBy, signedTokenIn } from './signed-tokens.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_AGE_SECONDS = 120;
/** Some providers call it a plain token, or do not say; what an ID token has makes it none. */
const TYPES = [undefined, 'logout+jwt', 'JWT'];

/** Whose sessions end: of a session at the provider, or of a person. */
interface LogoutRequest {
  /** Identifies the token, which is accepted once. */
  jti: string;
  subject?: string;
  sid?: string;
}

/** Checks the tokens with which providers sign people out (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class LogoutTokens {
  private readonly log = new Logger('IdentityProviders');

  constructor(
    private readonly connections: ProviderConnections,
    private readonly context: RequestContext,
  ) {}

  /** What the token asks for; undefined if it is invalid. */
  async requestIn(provider: SignInProvider, text: string): Promise<LogoutRequest | undefined> {
    try {
      return await this.check(provider, text);
    } catch (error) {
      const { id: provider_id, issuer } = provider;
      const line = { msg: 'refused a logout token', provider_id, issuer, request_id: this.context.requestId };
      this.log.warn({ ...line, reason: reasonOf(error) });
      return undefined;
    }
  }

  private async check(provider: SignInProvider, text: string): Promise<LogoutRequest> {
    const token = signedTokenIn(text);
    if (token === undefined) throw new Error('it is no signed token');
    const { header, claims } = token;
    const kid = typeof header.kid === 'string' ? header.kid : undefined;
    if (!isSignedBy(await this.connections.keysOf(provider, kid), token)) throw new Error('the signature is wrong');
    if (!TYPES.includes(header.typ as string | undefined)) throw new Error('it is of another type (typ)');
    assertMeant(claims, provider);
    assertTimely(claims);
    const { events, nonce, jti, sub, sid } = claims;
    if (!isRecord(events) || !isRecord(events[EVENT])) throw new Error('it asks for something else (events)');
    if (nonce !== undefined) throw new Error('it is an ID token (nonce)');
    if (!isName(jti)) throw new Error('it has no name (jti)');
    if ((sub ?? sid) === undefined) throw new Error('it names neither a person nor a session (sub, sid)');
    for (const name of [sub, sid]) if (name !== undefined && !isName(name)) throw new Error('a name cannot be used');
    return { jti, ...(isName(sub) && { subject: sub }), ...(isName(sid) && { sid }) };
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && isWord(value);

function assertMeant({ iss, aud }: Record<string, unknown>, { issuer, clientId }: SignInProvider): void {
  if (iss !== issuer) throw new Error('it is from another issuer (iss)');
  if (![aud].flat().includes(clientId)) throw new Error('it is for another client (aud)');
}

function assertTimely({ iat, exp }: Record<string, unknown>): void {
  const now = Date.now() / 1_000;
  if (typeof iat !== 'number' || iat < now - MAX_AGE_SECONDS) throw new Error('it is too old (iat)');
  if (iat > now + CLOCK_TOLERANCE_SECONDS) throw new Error('it is from the future (iat)');
  if (exp !== undefined && (typeof exp !== 'number' || exp < now - CLOCK_TOLERANCE_SECONDS))
    throw new Error('it has expired (exp)');
}
