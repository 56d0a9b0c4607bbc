import type { Client } from 'oidc-provider';

const CODE = 'authorization_code';
const REFRESH = 'refresh_token';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The command line, which gets its answer on a port of the same machine, or asks the person to type a code elsewhere. */
const COMMAND_LINE = {
  client_id: 'worksmith-cli',
  client_name: 'Worksmith command line',
  application_type: 'native',
  grant_types: [CODE, REFRESH, DEVICE],
  redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
};

/** The programs that every installation knows. */
export const BUILT_IN_CLIENTS: readonly object[] = [COMMAND_LINE];

/** What holds for every program that does not say otherwise. None has a secret, because none could keep it. */
export const CLIENT_DEFAULTS = {
  token_endpoint_auth_method: 'none',
  response_types: ['code'],
  grant_types: [CODE, REFRESH],
  response_modes: ['query'],
  // The library asks for an algorithm although no ID tokens are issued.
  id_token_signed_response_alg: 'ES256',
};

/** A program as a person who consents sees it. */
export interface ShownClient {
  id: string;
  name: string;
}

export const shownClient = ({ clientId, clientName = clientId }: Client): ShownClient => ({
  id: clientId,
  name: clientName,
});

export const mayRefresh = (client: Client): boolean => client.grantTypeAllowed(REFRESH);
