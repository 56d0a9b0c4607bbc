import type { ClientMetadata } from './client-metadata.rules.js';

/** The command line, which gets its answer on a port of the same machine, or asks the person to type a code elsewhere. */
const COMMAND_LINE: ClientMetadata = {
  name: 'Worksmith command line',
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  authMethod: 'none',
};

/** The programs that every installation knows. */
export const BUILT_IN_CLIENTS: ReadonlyMap<string, ClientMetadata> = new Map([['worksmith-cli', COMMAND_LINE]]);
