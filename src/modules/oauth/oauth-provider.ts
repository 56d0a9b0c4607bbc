import { generateKeyPair, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import type { Client, Context, Provider } from 'oidc-provider';
import { AccessTokenSecrets } from '../../access/authentication/access-token-secrets.js';
import { Callers } from '../../access/authentication/callers.js';
import { PROTECTED_RESOURCES } from '../../common/programs.js';
import { serviceAddress } from '../../platform/config/address.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Settings } from '../../platform/config/settings.js';
import { GrantsService } from '../tokens/grants.service.js';
import { IDLE_SECONDS, OauthAdapter, type Refusals } from './oauth-adapter.js';
import { DocumentUnreachable } from './clients/client-documents.js';
import { InvalidMetadata } from './clients/client-metadata.rules.js';
import { resourceAddress, CONSENT_PAGE, ENDPOINTS, GRANTABLE_SCOPES, resourceAt } from './oauth-addresses.js';
import { AUTH_METHODS } from './clients/oauth-client.entity.js';
import { BUILT_IN_PROPERTIES, CLIENT_DEFAULTS, mayRefresh, SOURCE } from './clients/oauth-clients.js';
import { cookieSettings } from './oauth-cookies.js';
import { renderFault } from './fault-page.js';
import { loadLibrary, type Library } from './library.js';

const ACCESS_TOKEN_SECONDS = 3_600;
const CODE_SECONDS = 60;
/** How long a person can take to consent. */
export const REQUEST_SECONDS = 600;

/** The library with its request handler. */
export interface OpenedProvider {
  provider: Provider;
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Configures the library, which only the first request of a program loads. */
@Injectable()
export class OauthProvider {
  private readonly log = new Logger('OAuth');
  private opened: Promise<OpenedProvider> | undefined;

  constructor(
    private readonly adapter: OauthAdapter,
    private readonly callers: Callers,
    private readonly grants: GrantsService,
    private readonly keys: Secrets,
    private readonly secrets: AccessTokenSecrets,
    private readonly settings: Settings,
  ) {}

  open(): Promise<OpenedProvider> {
    this.opened ??= this.load().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async load(): Promise<OpenedProvider> {
    const library = await loadLibrary();
    await nextTurn();
    const jwks = { keys: [await unusedKey()] };
    const provider = new library.Provider(serviceAddress(this.settings), { ...this.configuration(library), jwks });
    // OauthServer sets the headers, so that they say what PUBLIC_URL says.
    provider.proxy = true;
    const { grants, secrets } = this;
    provider.AccessToken.prototype.generateTokenId = function generate() {
      this.format = 'opaque';
      return grants.newToken();
    };
    provider.RefreshToken.prototype.generateTokenId = () => secrets.generate('refresh');
    // The library only gets the keyed hash of a secret.
    provider.Client.prototype.compareClientSecret = function compare(this: Client, sent: string) {
      return Promise.resolve(isSame(this.clientSecret ?? '', secrets.hashOf(sent)));
    };
    provider.on('server_error', (_context, error) => this.log.error('A request of a program failed.', error));
    // A consent in a browser does not open a session there.
    provider.on('authorization.success', ({ oidc: { session } }) => {
      if (session !== undefined) session.destroyed = true;
    });
    return { provider, handle: provider.callback() };
  }

  private configuration(library: Library): object {
    const refusals = refusalsOf(library);
    return {
      adapter: (model: string) => this.adapter.for(model, refusals),
      clientAuthMethods: AUTH_METHODS,
      clientDefaults: CLIENT_DEFAULTS,
      clients: BUILT_IN_PROPERTIES,
      cookies: cookieSettings(serviceAddress(this.settings), this.keys.keyFor('oauth-cookie')),
      expiresWithSession: () => false,
      extraClientMetadata: { properties: [SOURCE] },
      features: this.features(library),
      findAccount: (_context: Context, id: string) => this.accountOf(id),
      interactions: {
        policy: promptsOf(library),
        url: (_context: Context, { uid }: { uid: string }) => `${CONSENT_PAGE}/${uid}`,
      },
      issueRefreshToken: async (_context: Context, client: Client) => mayRefresh(client),
      loadExistingGrant: async ({ oidc }: Context) => {
        const { grantId } = oidc.result?.consent ?? {};
        return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
      },
      pkce: { required: () => true },
      renderError: renderFault,
      responseTypes: ['code'],
      revokeGrantPolicy: () => true,
      rotateRefreshToken: true,
      routes: ENDPOINTS,
      scopes: [],
      ttl: {
        AccessToken: ACCESS_TOKEN_SECONDS,
        AuthorizationCode: CODE_SECONDS,
        DeviceCode: REQUEST_SECONDS,
        Grant: IDLE_SECONDS,
        Interaction: REQUEST_SECONDS,
        RefreshToken: IDLE_SECONDS,
        Session: REQUEST_SECONDS,
      },
    };
  }

  private features(library: Library): object {
    const off = { enabled: false };
    return {
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      revocation: {
        enabled: true,
        allowedPolicy: (_context: Context, client: Client, token: { clientId: string }) =>
          token.clientId === client.clientId,
      },
      userinfo: off,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceAddress(this.settings, 'api'),
        useGrantedResource: () => true,
        getResourceServerInfo: ({ oidc: { params } }: Context, resource: string) => {
          const isOne = !Array.isArray(params?.resource);
          if (!isOne || resourceAt(this.settings, resource) === undefined) {
            const known = PROTECTED_RESOURCES.map((name) => resourceAddress(this.settings, name));
            throw new library.errors.InvalidTarget(`resource must be one of ${known.join(', ')}`);
          }
          return {
            audience: resource,
            scope: GRANTABLE_SCOPES.join(' '),
            accessTokenFormat: 'opaque',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
          };
        },
      },
    };
  }

  /** Undefined if the person may not act any more; programs then get nothing. */
  private async accountOf(id: string): Promise<object | undefined> {
    const found = await this.callers.byUser(id);
    return found && { accountId: id, claims: () => ({ sub: id }) };
  }
}

/** How the library is told what it must refuse. */
const refusalsOf = ({ errors }: Library): Refusals => ({
  refuseUse: () => new errors.InvalidGrant('it was used before, or the grant has ended'),
  refuseClient: (error) => {
    if (error instanceof InvalidMetadata) return new errors.InvalidClientMetadata(error.message);
    if (error instanceof DocumentUnreachable) return new errors.TemporarilyUnavailable(error.message);
    return error instanceof Error ? error : new Error(String(error));
  },
});

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The person is asked every time: a program without a secret cannot prove that it is the one of before. */
function promptsOf({ errors, interactionPolicy: { Check, Prompt } }: Library): object[] {
  const check = new Check('consent_required', 'a person has to consent', 'consent_required', ({ oidc }) => {
    const asked = (oidc.params?.scope ?? '').split(' ');
    if (!asked.some((scope) => GRANTABLE_SCOPES.includes(scope))) {
      throw new errors.InvalidScope('scope must name at least one of the scopes of the service');
    }
    return oidc.result?.consent === undefined;
  });
  return [new Prompt({ name: 'login', requestable: true }), new Prompt({ name: 'consent', requestable: true }, check)];
}

/** The library does not start without a key for ID tokens, which are not issued. */
async function unusedKey(): Promise<object> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}
