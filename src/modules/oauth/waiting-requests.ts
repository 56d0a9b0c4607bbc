import { ServerResponse, type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Client, Provider } from 'oidc-provider';
import type { Caller } from '../../access/authentication/caller.js';
import { ApiError, invalidField } from '../../common/errors.js';
import type { ProtectedResource } from '../../common/programs.js';
import { serviceAddress } from '../../platform/config/address.js';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';
import type { WindowLimit } from '../../platform/limits/rate-limited.js';
import { OauthAdapter } from './oauth-adapter.js';
import { resourceAddress, GRANTABLE_SCOPES, resourceAt } from './oauth-addresses.js';
import { shownClient, type ShownClient } from './clients/oauth-clients.js';
import { cookieNames } from './oauth-cookies.js';
import { OauthItemsRepository } from './oauth-items.repository.js';
import { OauthProvider } from './oauth-provider.js';

/** How a request is named: by the page in this browser, or by the code of a device. */
export interface NamedRequest {
  authorization?: string;
  user_code?: string;
}

/** The decision of a person: the grant, or null for a refusal. */
export interface ConsentDecision {
  userId: string;
  granted: { id: string; resource: ProtectedResource; scopes: readonly string[] } | null;
}

/** A request of a program that waits for a person. */
export interface WaitingRequest {
  /** What distinguishes it from all others. */
  key: string;
  client: ShownClient;
  /** What it asks to be let into. */
  resource: ProtectedResource;
  scopes: string[];
  redirectHost: string | null;
  expiresAt: Date;
  /** Answers it; returns the address that the browser opens now, or null. 404 if it was answered meanwhile. */
  answer(decision: ConsentDecision): Promise<string | null>;
}

/** What the library keeps of the request of a device. */
interface DevicePayload {
  clientId: string;
  params?: { resource?: string; scope?: string };
  exp: number;
}

const WRONG_CODES: WindowLimit = {
  name: 'device_codes',
  counts: 'wrong codes of devices of one account',
  most: 5,
  seconds: 600,
  setting: null,
};

const DENIED = { error: 'access_denied', error_description: 'the person has refused' };

const gone = (): ApiError =>
  new ApiError('not_found', 'This request has expired, was answered, or was begun in another browser.');

/** Finds the requests of programs that wait for the consent of a person, and answers them. */
@Injectable()
export class WaitingRequests {
  constructor(
    private readonly adapter: OauthAdapter,
    private readonly items: OauthItemsRepository,
    private readonly limits: Limits,
    private readonly provider: OauthProvider,
    private readonly settings: Settings,
  ) {}

  /** 404 if no such request waits. Wrong codes of devices are counted. */
  find(me: Caller, named: NamedRequest, request: IncomingMessage): Promise<WaitingRequest> {
    const { authorization, user_code: userCode } = named;
    if (authorization !== undefined && userCode === undefined) return this.inBrowser(authorization, request);
    if (userCode !== undefined && authorization === undefined) return this.ofDevice(me, userCode);
    const message = 'Send either authorization or user_code.';
    throw invalidField(userCode === undefined ? 'authorization' : 'user_code', 'invalid_value', message);
  }

  /**
   * The request that was begun in this browser: otherwise a stranger could begin one, and be let in by a person who opens the
   * address of the page.
   */
  private async inBrowser(authorization: string, request: IncomingMessage): Promise<WaitingRequest> {
    const { interaction: cookie } = cookieNames(serviceAddress(this.settings));
    if (!(request.headers.cookie ?? '').includes(`${cookie}=`)) throw gone();
    const { provider } = await this.provider.open();
    const response = new ServerResponse(request);
    const waiting = await provider.interactionDetails(request, response).catch(() => undefined);
    if (waiting === undefined || waiting.uid !== authorization || waiting.result !== undefined) throw gone();
    const { client_id: clientId = '', resource: address, scope, redirect_uri: redirectUri = '' } = waiting.params;
    const client = await findClient(provider, clientId);
    const resource = resourceAt(this.settings, address);
    // An address can be taken away from a program while its request waits.
    if (client?.redirectUriAllowed(redirectUri) !== true || resource === undefined) throw gone();
    return {
      key: `authorization ${authorization}`,
      client: shownClient(client),
      resource,
      scopes: grantable(scope),
      redirectHost: hostOf(redirectUri),
      expiresAt: new Date(waiting.exp * 1_000),
      answer: ({ userId, granted }) => {
        const login = { accountId: userId, remember: false };
        const result = granted === null ? DENIED : { login, consent: { grantId: granted.id } };
        return provider.interactionResult(request, response, result);
      },
    };
  }

  private async ofDevice(me: Caller, typed: string): Promise<WaitingRequest> {
    const code = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
    const hash = this.adapter.hashOfUserCode(code);
    // Counted before it is looked up, so that concurrent attempts count each other.
    await this.limits.consume(WRONG_CODES, me.userId);
    const found = await this.items.findWaiting(hash);
    if (found === undefined) throw gone();
    await this.limits.takeBack(WRONG_CODES, me.userId);
    const { clientId, params, exp } = found.payload as unknown as DevicePayload;
    const { provider } = await this.provider.open();
    const client = await findClient(provider, clientId);
    const resource = resourceAt(this.settings, params?.resource);
    if (client === undefined || resource === undefined) throw gone();
    return {
      key: `device ${code}`,
      client: shownClient(client),
      resource,
      scopes: grantable(params?.scope),
      redirectHost: null,
      expiresAt: new Date(exp * 1_000),
      answer: async (decision) => {
        if (!(await this.items.decide(hash, this.decided(decision), decision.granted?.id ?? null))) throw gone();
        return null;
      },
    };
  }

  /** What the library expects of the request of a device that was answered. */
  private decided({ userId, granted }: ConsentDecision): Record<string, unknown> {
    if (granted === null) return { error: DENIED.error, errorDescription: DENIED.error_description };
    return {
      accountId: userId,
      grantId: granted.id,
      scope: granted.scopes.join(' '),
      resource: resourceAddress(this.settings, granted.resource),
      authTime: Math.floor(Date.now() / 1_000),
    };
  }
}

/** A program whose document cannot be used any more is none. */
const findClient = (provider: Provider, id: string): Promise<Client | undefined> =>
  provider.Client.find(id).catch((error: unknown) => {
    if (error instanceof Error && 'expose' in error) return undefined;
    throw error;
  });

const grantable = (scope = ''): string[] => {
  const asked = new Set(scope.split(' '));
  return GRANTABLE_SCOPES.filter((one) => asked.has(one));
};

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);
