import type { Client } from 'oidc-provider';
import { BUILT_IN_CLIENTS } from './built-in-clients.js';
import type { ClientMetadata } from './client-metadata.rules.js';
import type { Registrar } from './oauth-client.entity.js';

/** What holds for every program. */
export const CLIENT_DEFAULTS = {
  // Ports of this machine are free, and other schemes allowed; the addresses themselves are checked when they are registered.
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  response_modes: ['query'],
  // The library asks for an algorithm although no ID tokens are issued.
  id_token_signed_response_alg: 'ES256',
};

/** Where the service knows a program from. */
export type ClientSource = 'built_in' | 'metadata' | Registrar;

/** The property in which the library keeps the source. */
export const SOURCE = 'worksmith_source';

/** What the library reads of a program; of a secret, it only gets the keyed hash. */
export const clientProperties = (
  id: string,
  { name, redirectUris, grantTypes, authMethod }: ClientMetadata,
  source: ClientSource,
  secretHash: string | null = null,
): Record<string, unknown> => ({
  client_id: id,
  ...(name !== null && { client_name: name }),
  redirect_uris: redirectUris,
  grant_types: grantTypes,
  response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
  token_endpoint_auth_method: authMethod,
  ...(secretHash !== null && { client_secret: secretHash }),
  [SOURCE]: source,
});

export const BUILT_IN_PROPERTIES: readonly object[] = [...BUILT_IN_CLIENTS].map(([id, metadata]) =>
  clientProperties(id, metadata, 'built_in'),
);

/** A program as a person who consents sees it. */
export interface ShownClient {
  id: string;
  name: string;
  source: ClientSource;
  /** The host of its document; null for a program that is registered here. */
  host: string | null;
}

export function shownClient({ clientId, clientName, [SOURCE]: source }: Client): ShownClient {
  const host = source === 'metadata' ? new URL(clientId).host : null;
  return { id: clientId, name: clientName ?? host ?? clientId, source, host };
}

export const mayRefresh = (client: Client): boolean => client.grantTypeAllowed('refresh_token');
