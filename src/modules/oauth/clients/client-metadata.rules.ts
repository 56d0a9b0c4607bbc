import { isCleanText, isLongerThan, isVisibleLine } from '../../../common/texts/text.js';
import {
  AUTH_METHODS,
  GRANT_TYPES,
  MAX_REDIRECT_URI,
  MAX_REDIRECT_URIS,
  type AuthMethod,
  type GrantType,
} from './oauth-client.entity.js';
import { redirectUriFault } from './redirect-uri.rules.js';

/** What a program says of itself (RFC 7591), as far as this service uses it. */
export interface ClientMetadata {
  name: string | null;
  redirectUris: string[];
  grantTypes: GrantType[];
  authMethod: AuthMethod;
}

/** Why a program cannot be what it says, with an error code of RFC 7591. */
export class InvalidMetadata extends Error {
  constructor(
    readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

export const DEFAULT_GRANT_TYPES: readonly GrantType[] = ['authorization_code', 'refresh_token'];

const MAX_NAME = 200;
/** Characters that change the direction or shape of what surrounds them, so that a name could pretend to be a part of the page. */
const FORMATTING = /\p{Cf}/u;

const invalid = (message: string): InvalidMetadata => new InvalidMetadata('invalid_client_metadata', message);

/** Reads what a program says of itself; throws {@link InvalidMetadata}. Properties that are not used are ignored. */
export function clientMetadataIn(sent: Record<string, unknown>): ClientMetadata {
  const grantTypes = grantTypesIn(sent.grant_types);
  const responses = sent.response_types ?? ['code'];
  if (!isStrings(responses)) throw invalid('response_types must be a list of texts.');
  if (grantTypes.includes('authorization_code') && !responses.includes('code')) {
    throw invalid('response_types must contain code.');
  }
  return {
    name: nameIn(sent.client_name),
    redirectUris: redirectUrisIn(sent.redirect_uris, grantTypes.includes('authorization_code')),
    grantTypes,
    authMethod: authMethodIn(sent.token_endpoint_auth_method),
  };
}

function nameIn(name: unknown): string | null {
  if (name === undefined) return null;
  const isName = typeof name === 'string' && isCleanText(name) && isVisibleLine(name) && !FORMATTING.test(name);
  if (!isName || isLongerThan(name, MAX_NAME)) {
    throw invalid(`client_name must be a line of at most ${MAX_NAME} visible characters.`);
  }
  return name.trim();
}

/** Those that this service knows; others are left out, as the standard allows. */
function grantTypesIn(sent: unknown): GrantType[] {
  if (sent === undefined) return [...DEFAULT_GRANT_TYPES];
  if (!isStrings(sent)) throw invalid('grant_types must be a list of texts.');
  const known = GRANT_TYPES.filter((type) => sent.includes(type));
  if (known.some((type) => type !== 'refresh_token')) return known;
  throw invalid('grant_types must contain authorization_code, or that of the device flow.');
}

function redirectUrisIn(sent: unknown, areNeeded: boolean): string[] {
  const uris = sent ?? [];
  const fault = (message: string): InvalidMetadata => new InvalidMetadata('invalid_redirect_uri', message);
  if (!isStrings(uris)) throw fault('redirect_uris must be a list of texts.');
  if (uris.length > MAX_REDIRECT_URIS) throw fault(`redirect_uris must have at most ${MAX_REDIRECT_URIS} items.`);
  if (areNeeded && uris.length === 0) throw fault('redirect_uris must not be empty.');
  uris.forEach((uri, index) => {
    const reason = uri.length > MAX_REDIRECT_URI ? 'is too long.' : redirectUriFault(uri);
    if (reason !== undefined) throw fault(`redirect_uris.${index} ${reason}`);
  });
  return [...new Set(uris)];
}

function authMethodIn(sent: unknown): AuthMethod {
  const method = AUTH_METHODS.find((known) => known === (sent ?? 'none'));
  if (method === undefined) throw invalid(`token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`);
  return method;
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
