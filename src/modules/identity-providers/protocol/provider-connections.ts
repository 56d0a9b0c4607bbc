import { Injectable } from '@nestjs/common';
import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import { Clock } from '../../../platform/jobs/clock.js';
import { ProviderRequests } from './provider-requests.js';
import { CLOCK_TOLERANCE_SECONDS } from '../provider.rules.js';

type Library = typeof import('openid-client');
type KeyCache = NonNullable<ReturnType<Library['getJwksCache']>>;
export type JWK = KeyCache['jwks']['keys'][number];

/** Only the first sign-in by a provider loads the library. */
const library = (): Promise<Library> => import('openid-client');

/** What a connection to a provider takes. */
export interface ConnectedProvider {
  id: string;
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  secret: string | null;
}

/** The library, configured for one sign-in at one provider. */
export interface ProviderConnection {
  library: Library;
  config: Configuration;
  metadata: ServerMetadata;
  /** Keeps the keys that the library has fetched meanwhile for the next sign-in. */
  keepKeys: () => void;
}

/** What is known of a provider: where its endpoints are, and its keys. */
interface Known {
  metadata: ServerMetadata;
  /** In milliseconds. */
  readAt: number;
  keys?: KeyCache;
  keysReadAt: number;
}

const METADATA_MS = 60 * 60 * 1_000;
const KEYS_MS = 5 * 60 * 1_000;
/** The shortest time between two fetches of keys, however many tokens name unknown keys. */
const KEYS_PAUSE_MS = 10_000;
/** The age of keys from which the library fetches them again for a token with an unknown key. */
const RENEWABLE_SECONDS = 61;
const MAX_KNOWN = 200;
const TIMEOUT_SECONDS = 5;

/** Connects to identity providers, and remembers where their endpoints are for an hour and their keys for five minutes. */
@Injectable()
export class ProviderConnections {
  private readonly known = new Map<string, Promise<Known>>();

  constructor(
    private readonly clock: Clock,
    private readonly requests: ProviderRequests,
  ) {}

  /** Connects to the provider; fails if its metadata cannot be read, or names another issuer. */
  async open(provider: ConnectedProvider): Promise<ProviderConnection> {
    const known = await this.lookUp(provider);
    const oidc = await library();
    const config = this.configure(oidc, provider, known.metadata);
    const now = this.clock.now().getTime();
    const { keys, keysReadAt, metadata } = known;
    if (keys !== undefined && now - keysReadAt < KEYS_MS) {
      const age = now - keysReadAt < KEYS_PAUSE_MS ? 0 : RENEWABLE_SECONDS;
      oidc.setJwksCache(config, { ...keys, uat: Math.floor(Date.now() / 1_000) - age });
    }
    const given = oidc.getJwksCache(config)?.uat;
    const keepKeys = (): void => {
      const read = oidc.getJwksCache(config);
      if (read !== undefined && read.uat !== given) Object.assign(known, { keys: read, keysReadAt: now });
    };
    return { library: oidc, config, metadata, keepKeys };
  }

  /** Reads the metadata of the provider now. */
  async discover(provider: ConnectedProvider): Promise<ServerMetadata> {
    const oidc = await library();
    const config = await oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationOf(oidc, provider),
      {
        timeout: TIMEOUT_SECONDS,
        [oidc.customFetch]: (url: string, options: CustomFetchOptions) => this.fetch(url, options),
        ...(this.requests.isInsecure(provider.issuer) && { execute: [oidc.allowInsecureRequests] }),
      },
    );
    const metadata = JSON.parse(JSON.stringify(config.serverMetadata())) as ServerMetadata;
    assertUsable(metadata);
    return metadata;
  }

  /** The keys of the provider, read again for an unknown key, but not all the time. */
  async keysOf(provider: ConnectedProvider, kid: string | undefined): Promise<readonly JWK[]> {
    const known = await this.lookUp(provider);
    const now = this.clock.now().getTime();
    const keys = known.keys?.jwks.keys ?? [];
    const age = known.keys === undefined ? Infinity : now - known.keysReadAt;
    const hasKey = kid === undefined || keys.some((key) => key.kid === kid);
    if (age < KEYS_PAUSE_MS || (age < KEYS_MS && hasKey)) return keys;
    const { jwks_uri: uri = '' } = known.metadata;
    const response = await this.requests.fetch(uri, { method: 'GET', headers: { accept: 'application/json' } });
    const jwks = (await response.json()) as KeyCache['jwks'];
    if (!Array.isArray(jwks.keys)) throw new Error('the provider has no keys');
    Object.assign(known, { keys: { jwks, uat: Math.floor(Date.now() / 1_000) }, keysReadAt: now });
    return jwks.keys;
  }

  private lookUp(provider: ConnectedProvider): Promise<Known> {
    const key = `${provider.id} ${provider.issuer}`;
    const found = this.known.get(key)?.then((known) => {
      if (this.clock.now().getTime() - known.readAt < METADATA_MS) return known;
      return this.read(key, provider);
    });
    return found ?? this.read(key, provider);
  }

  private read(key: string, provider: ConnectedProvider): Promise<Known> {
    const readAt = this.clock.now().getTime();
    const reading = this.discover(provider).then((metadata) => ({ metadata, readAt, keysReadAt: 0 }));
    this.known.delete(key);
    this.known.set(key, reading);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN) this.known.delete(oldest);
    reading.catch(() => this.known.get(key) === reading && this.known.delete(key));
    return reading;
  }

  private configure(oidc: Library, provider: ConnectedProvider, metadata: ServerMetadata): Configuration {
    const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const config = new oidc.Configuration(metadata, provider.clientId, client, authenticationOf(oidc, provider));
    config.timeout = TIMEOUT_SECONDS;
    config[oidc.customFetch] = (url: string, options: CustomFetchOptions) => this.fetch(url, options);
    if (this.requests.isInsecure(provider.issuer)) oidc.allowInsecureRequests(config);
    // Without it, the library trusts the connection instead of checking the signature of the ID token.
    oidc.enableNonRepudiationChecks(config);
    return config;
  }

  private fetch(url: string, options: CustomFetchOptions): Promise<Response> {
    return this.requests.fetch(url, options);
  }
}

/** RFC 6749 makes this way the one that every provider supports. */
const authenticationOf = (oidc: Library, { secret }: ConnectedProvider) =>
  secret === null ? oidc.None() : oidc.ClientSecretBasic(secret);

/** The address for people is opened by their browsers, so it must be one of the web. */
function assertUsable({ authorization_endpoint: address }: ServerMetadata): void {
  if (address !== undefined && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new Error('the provider has no authorization endpoint');
}
