import { Injectable, Logger } from '@nestjs/common';
import type { IDToken, ServerMetadata } from 'openid-client';
import { conflict, type ApiError } from '../../../common/errors.js';
import { isRecord } from '../../../common/texts/json.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { ForbiddenTarget } from '../../../platform/outgoing/targets.js';
import type { FlowSecrets } from '../sign-in/flow-tokens.js';
import type { SignInProvider } from '../identity-providers.repository.js';
import { ProviderConnections, type ProviderConnection } from './provider-connections.js';
import { providerClaimsIn, CLOCK_TOLERANCE_SECONDS, type ProviderClaims } from '../provider.rules.js';

/** What the provider sent back with the person. */
export interface ProviderAnswer {
  code: string;
  iss?: string;
  redirectUri: string;
}

/** The codes of the library for a provider that does not answer as one. */
const UNREACHABLE = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_PARSE_ERROR'];

/**
 * Speaks OpenID Connect with providers: authorization code with PKCE, state and nonce. The library checks the answer and
 * the ID token: signature by the keys of the provider, issuer, audience, times, nonce; what it leaves open is checked here.
 */
@Injectable()
export class ProviderProtocol {
  private readonly log = new Logger('IdentityProviders');

  constructor(
    private readonly connections: ProviderConnections,
    private readonly context: RequestContext,
  ) {}

  /**
   * The address at the provider where the person signs in; 409 `provider_unreachable`. With `isAgain`, the person has to
   * sign in also with a session there.
   */
  async authorizationUrl(
    provider: SignInProvider,
    redirectUri: string,
    secrets: FlowSecrets,
    { isAgain }: { isAgain: boolean },
  ): Promise<string> {
    const { library, config } = await this.connect(provider);
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      ...(isAgain && { prompt: 'login', max_age: '0' }),
    });
    return url.href;
  }

  /** Who has signed in at the provider; undefined if its answer is not what it should be. */
  async claimsOf(
    provider: SignInProvider,
    answer: ProviderAnswer,
    secrets: FlowSecrets,
  ): Promise<ProviderClaims | undefined> {
    const connection = await this.connect(provider);
    try {
      const claims = await this.exchange(connection, provider, answer, secrets);
      assertFits(claims, provider.clientId);
      const found = providerClaimsIn(claims, provider);
      const endSessionUrl = endSessionUrlOf(connection.metadata, provider);
      return found && { ...found, ...(endSessionUrl !== undefined && { endSessionUrl }) };
    } catch (error) {
      if (isUnreachable(error)) throw this.unreachable(provider, error);
      this.record('refused the answer of an identity provider', provider, error);
      return undefined;
    }
  }

  /** The claims of the ID token, and those of the userinfo endpoint if the token has no address or no groups. */
  private async exchange(
    { library, config, metadata, keepKeys }: ProviderConnection,
    { groupsClaim }: SignInProvider,
    { code, iss, redirectUri }: ProviderAnswer,
    { state, nonce, verifier }: FlowSecrets,
  ): Promise<IDToken & Record<string, unknown>> {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state, iss })) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await library.authorizationCodeGrant(config, url, checks).finally(keepKeys);
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('there is no ID token');
    const hasGroups = groupsClaim === null || claims[groupsClaim] !== undefined;
    if ((claims.email !== undefined && hasGroups) || metadata.userinfo_endpoint === undefined) return claims;
    return { ...(await library.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  }

  private async connect(provider: SignInProvider): Promise<ProviderConnection> {
    try {
      return await this.connections.open(provider);
    } catch (error) {
      throw this.unreachable(provider, error);
    }
  }

  private unreachable(provider: SignInProvider, error: unknown): ApiError {
    this.record('an identity provider does not answer', provider, error);
    return conflict(
      'provider_unreachable',
      'The provider does not answer as an OpenID provider at the moment. Try again later, or sign in in another way.',
    );
  }

  /** For operators, who have to tell a wrong setting from an attack. Errors of the library quote no tokens. */
  private record(msg: string, { id, issuer }: SignInProvider, error: unknown): void {
    this.log.warn({ msg, provider_id: id, issuer, request_id: this.context.requestId, reason: reasonOf(error) });
  }
}

/** The checks of OpenID Connect that the library does only for some tokens. */
function assertFits({ azp, iat }: IDToken, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new Error('the token was made for another client (azp)');
  if (iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) throw new Error('the token is from the future (iat)');
}

/** Where a browser ends the session at the provider (RP-initiated logout), without telling it more than the client. */
function endSessionUrlOf({ end_session_endpoint: page }: ServerMetadata, { clientId }: SignInProvider) {
  if (page === undefined || !URL.canParse(page)) return undefined;
  const url = new URL(page);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  url.searchParams.set('client_id', clientId);
  return url.href;
}

/** Whether there was no answer that could be judged. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ForbiddenTarget) return true;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code !== 'string') return isRecord(cause) || cause instanceof Error ? isUnreachable(cause) : false;
  if (UNREACHABLE.includes(code)) return !(cause instanceof Response) || cause.status >= 500;
  return /^(?:E[A-Z]+|ABORT_ERR|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|UNABLE_TO_.*|SELF_SIGNED_.*|HPE_.*)$/.test(code);
}

/** The message of an error and of its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { error: word } = error as { error?: unknown };
  const own = typeof word === 'string' ? `${error.message} (${word})` : error.message;
  return (error.cause instanceof Error ? `${own}: ${reasonOf(error.cause)}` : own).slice(0, 300);
}
