import { generateKeyPair } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import type { Client, Context, Provider } from 'oidc-provider';
import { AccessTokenSecrets } from '../../access/access-token-secrets.js';
import { Callers } from '../../access/callers.js';
import { serviceAddress } from '../../platform/config/address.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Settings } from '../../platform/config/settings.js';
import { GrantsService } from '../tokens/grants.service.js';
import { IDLE_SECONDS, OauthAdapter } from './oauth-adapter.js';
import { apiAddress, CONSENT_PAGE, ENDPOINTS, GRANTABLE_SCOPES } from './oauth-addresses.js';
import { BUILT_IN_CLIENTS, CLIENT_DEFAULTS, mayRefresh } from './oauth-clients.js';
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
    provider.on('server_error', (_context, error) => this.log.error('A request of a program failed.', error));
    // A consent in a browser does not open a session there.
    provider.on('authorization.success', ({ oidc: { session } }) => {
      if (session !== undefined) session.destroyed = true;
    });
    return { provider, handle: provider.callback() };
  }

  private configuration(library: Library): object {
    const refuseUse = (): Error => new library.errors.InvalidGrant('it was used before, or the grant has ended');
    return {
      adapter: (model: string) => this.adapter.for(model, refuseUse),
      clientAuthMethods: ['none'],
      clientDefaults: CLIENT_DEFAULTS,
      clients: BUILT_IN_CLIENTS,
      cookies: cookieSettings(serviceAddress(this.settings), this.keys.keyFor('oauth-cookie')),
      expiresWithSession: () => false,
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
    const api = apiAddress(this.settings);
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
        defaultResource: () => api,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: Context, resource: string) => {
          if (resource !== api) throw new library.errors.InvalidTarget(`the only resource is ${api}`);
          return {
            audience: api,
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
