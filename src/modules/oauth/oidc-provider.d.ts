/** What this service uses of the library, which comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Client {
    clientId: string;
    clientName?: string;
    clientSecret?: string;
    worksmith_source: import('./clients/oauth-clients.js').ClientSource;
    compareClientSecret(sent: string): Promise<boolean>;
    grantTypeAllowed(type: string): boolean;
    redirectUriAllowed(address: string): boolean;
  }

  export interface Interaction {
    uid: string;
    /** In seconds since 1970. */
    exp: number;
    params: Record<string, string | undefined>;
    result?: object;
  }

  export interface Context {
    type: string;
    body: unknown;
    status: number;
    get(header: string): string;
    set(header: string, value: string): void;
    oidc: {
      client?: Client;
      params?: Record<string, string | undefined> & { resource?: string | string[] };
      provider: Provider;
      result?: { consent?: { grantId?: string } };
      session?: { destroyed?: boolean };
    };
  }

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, seconds: number): Promise<void>;
    find(id: string): Promise<Record<string, unknown> | undefined>;
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
    findByUserCode(code: string): Promise<Record<string, unknown> | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  interface Generates {
    prototype: { generateTokenId(this: { format?: string }): string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly AccessToken: Generates;
    readonly RefreshToken: Generates;
    readonly Client: { prototype: Client; find(id: string): Promise<Client | undefined> };
    readonly Grant: { find(id: string): Promise<object | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
    on(event: string, listener: (context: Context, error: Error) => void): this;
  }

  export const errors: Record<
    | 'InvalidClientMetadata'
    | 'InvalidGrant'
    | 'InvalidScope'
    | 'InvalidTarget'
    | 'SessionNotFound'
    | 'TemporarilyUnavailable',
    new (message?: string) => Error
  >;

  export const interactionPolicy: {
    Check: new (reason: string, description: string, error: string, check: (context: Context) => boolean) => object;
    Prompt: new (options: { name: string; requestable: boolean }, ...checks: object[]) => object;
  };
}
