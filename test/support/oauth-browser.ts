import * as oauth from 'openid-client';
import type { Person, TestApp } from './test-app.js';

/** The address that the service has in the tests of programs; requests go to the port of the service under test. */
export const ISSUER = 'http://localhost:4000';
export const CLIENT = 'worksmith-cli';
export const CALLBACK = 'http://127.0.0.1:51004/callback';

/** What the page for consent gets of a request. */
export interface Asked {
  client_id: string;
  client_name: string;
  client_source: string;
  client_host: string | null;
  resource: string;
  redirect_host: string | null;
  scopes: string[];
  consent_token: string;
  expires_at: string;
}

/** A request of a program that the certified client library has begun. */
export interface Begun {
  url: URL;
  state: string;
  verifier: string;
}

/** A response without its body read. */
interface Opened {
  status: number;
  location: string | null;
  headers: Headers;
  text: string;
}

/** A browser with the cookies of the service, and no scripts: the test does what the page does. */
export class OauthBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly app: TestApp,
    private readonly issuer = ISSUER,
  ) {}

  /** Opens an address of the service without following where it leads. */
  async open(address: string | URL): Promise<Opened> {
    const { pathname, search } = new URL(address, this.issuer);
    const response = await fetch(`http://127.0.0.1:${this.app.port()}${pathname}${search}`, {
      redirect: 'manual',
      headers: { cookie: this.cookie },
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    const { status, headers } = response;
    return { status, headers, location: headers.get('location'), text: await response.text() };
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Opens the request of a program, and returns its name on the page for consent. */
  async begin({ url }: Pick<Begun, 'url'>): Promise<string> {
    const { location, text } = await this.open(url);
    const authorization = /\/oauth\/consent\/([\w-]+)$/.exec(location ?? '')?.[1];
    if (authorization === undefined) throw new Error(`no page for consent: ${location} ${text}`);
    return authorization;
  }

  /** Sends what the page sends in a session of the person. */
  send(person: Person, path: '' | '/preview' | '/refuse', body: object) {
    return this.app.as(person).post(`/auth/consents${path}`).set('Cookie', this.cookie).send(body);
  }

  async preview(person: Person, named: object): Promise<Asked> {
    return (await this.send(person, '/preview', named).expect(200)).body.data;
  }

  /** Consents as the person, to all that is asked by default, and returns where the browser arrives. */
  async consent(person: Person, begun: Pick<Begun, 'url'>, more: object = {}): Promise<URL> {
    const authorization = await this.begin(begun);
    const { consent_token, scopes } = await this.preview(person, { authorization });
    const { body } = await this.send(person, '', { authorization, consent_token, scopes, ...more }).expect(200);
    return this.follow(body.data.redirect_to);
  }

  /** Opens the address after a decision, and returns where that leads. */
  async follow(address: string): Promise<URL> {
    const { location, text } = await this.open(address);
    if (location === null) throw new Error(`not sent back: ${text}`);
    return new URL(location);
  }

  private keep(cookie: string): void {
    const [pair] = cookie.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A program with the certified client library, which finds the endpoints by itself. */
export async function programOf(
  app: TestApp,
  clientId = CLIENT,
  authentication = oauth.None(),
): Promise<oauth.Configuration> {
  const reach = (url: string, options: oauth.CustomFetchOptions): Promise<Response> => {
    const { pathname, search } = new URL(url);
    return fetch(`http://127.0.0.1:${app.port()}${pathname}${search}`, options);
  };
  const config = await oauth.discovery(new URL(ISSUER), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    [oauth.customFetch]: reach,
    execute: [oauth.allowInsecureRequests],
  });
  config[oauth.customFetch] = reach;
  return config;
}

/** Begins to ask for scopes, as the library does. */
export async function ask(
  config: oauth.Configuration,
  scope = 'tasks:read tasks:write',
  more: Record<string, string> = {},
): Promise<Begun> {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { url, state, verifier };
}

/** The tokens that the program gets for the code in the address. */
export const redeem = (config: oauth.Configuration, returned: URL, { state, verifier }: Begun) =>
  oauth.authorizationCodeGrant(config, returned, { pkceCodeVerifier: verifier, expectedState: state });

/** The tokens of a program to which the person has granted something. */
export async function grantedTokens(app: TestApp, config: oauth.Configuration, person: Person, more: object = {}) {
  const begun = await ask(config);
  const tokens = await redeem(config, await new OauthBrowser(app).consent(person, begun, more), begun);
  if (tokens.refresh_token === undefined) throw new Error('the program has no refresh token');
  return { access: tokens.access_token, refresh: tokens.refresh_token, scope: tokens.scope };
}
