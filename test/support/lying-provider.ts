import { createHash, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CLIENT_ID, CLIENT_SECRET } from './openid-provider.js';

/** How an ID token differs from the right one. */
export interface Lies {
  /** Claims to replace; undefined leaves one out. */
  claims?: Record<string, unknown>;
  alg?: 'RS256' | 'none' | 'HS256';
  /** The id of the key in the header. */
  kid?: string;
  /** Signs with a key that is not published. */
  isSignedByAnother?: boolean;
  /** Leaves out the ID token. */
  hasNoToken?: boolean;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A provider that says whatever the test wants. It has no pages: the test takes nonce and state from the address. */
export class LyingProvider {
  private key = keyPair();
  private readonly another = keyPair();
  private keyId = 'key-1';
  private lies: Lies = {};
  private nonce: string | null = null;
  private claims: Record<string, unknown> = {};
  private challenge: string | null = null;
  /** Differences of the metadata. */
  metadata: Record<string, unknown> = {};
  /** The number of times that the keys were read. */
  keyReads = 0;
  /** The status of all responses, if it is not 200. */
  status = 200;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<LyingProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new LyingProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      void provider.answer(request).then((body) => {
        response.writeHead(provider.status, { 'content-type': 'application/json', location: '/elsewhere' });
        response.end(JSON.stringify(body));
      });
    });
    return provider;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Publishes another key in place of the present one. */
  rotate(): void {
    this.key = keyPair();
    this.keyId = `key-${Number(this.keyId.slice(4)) + 1}`;
  }

  /** What it sends back for that address, when a person with those claims has signed in. */
  signIn(authorizationUrl: string, claims: Record<string, unknown>, lies: Lies = {}) {
    const { searchParams } = new URL(authorizationUrl);
    this.nonce = searchParams.get('nonce');
    this.challenge = searchParams.get('code_challenge');
    this.claims = claims;
    this.lies = lies;
    return { state: searchParams.get('state') ?? '', code: 'a-code', iss: this.issuer };
  }

  /** A token with which it signs somebody out. */
  logoutToken(
    claims: Record<string, unknown>,
    { alg = 'RS256', isSignedByAnother = false, typ = 'logout+jwt' } = {},
  ): string {
    const now = Math.floor(Date.now() / 1_000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = randomBytes(8).toString('hex');
    const right = { iss: this.issuer, aud: CLIENT_ID, iat: now, exp: now + 120, jti, events, ...claims };
    const signed = `${encoded({ alg, kid: this.keyId, typ })}.${encoded(right)}`;
    const { privateKey } = isSignedByAnother ? this.another : this.key;
    return `${signed}.${signatureOf(signed, alg, privateKey)}`;
  }

  private async answer(request: IncomingMessage): Promise<object> {
    if (request.url === '/keys') {
      this.keyReads += 1;
      return { keys: [{ ...this.key.publicKey.export({ format: 'jwk' }), kid: this.keyId, alg: 'RS256', use: 'sig' }] };
    }
    if (request.url !== '/token') return this.discovery();
    const form = new URLSearchParams(await text(request));
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (verifier !== this.challenge) return { error: 'invalid_grant' };
    const tokens = { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 60 };
    return this.lies.hasNoToken === true ? tokens : { ...tokens, id_token: this.idToken() };
  }

  private discovery(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  private idToken(): string {
    const { alg = 'RS256', kid = this.keyId, isSignedByAnother = false, claims = {} } = this.lies;
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: this.issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce: this.nonce, ...this.claims };
    const signed = `${encoded({ alg, kid })}.${encoded({ ...right, ...claims })}`;
    const { privateKey } = isSignedByAnother ? this.another : this.key;
    return `${signed}.${signatureOf(signed, alg, privateKey)}`;
  }
}

function signatureOf(signed: string, alg: string, key: KeyObject): string {
  if (alg === 'none') return '';
  if (alg === 'HS256') return createHmac('sha256', CLIENT_SECRET).update(signed).digest('base64url');
  return sign('sha256', Buffer.from(signed), key).toString('base64url');
}
